"""The text of workload files, plain or compressed."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from pathlib import Path

from quota_verifier.errors import InputError

COMPRESSED = (".gz", ".zip")


def plain_suffix(path: str | Path) -> str:
    """The ending of a file's name in lower case, without that of its compression: `.swf` of `LCG.swf.gz`."""
    name = Path(path)
    return Path(name.stem if name.suffix.lower() in COMPRESSED else name.name).suffix.lower()


def read_source(path: str | Path, encoding: str = "utf-8-sig") -> str:
    """The text of a file; `.gz` is unpacked, and `.zip` where it holds one file. Raises InputError."""
    source = str(path)
    try:
        return _unpacked(Path(path).read_bytes(), source).decode(encoding).replace("\r\n", "\n")
    except FileNotFoundError:
        raise InputError("no such file", source=source) from None
    except IsADirectoryError:
        raise InputError("this is a directory", source=source, remedy="name a file in it") from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte {error.start + 1} is not UTF-8 text", source=source, remedy="save it as UTF-8"
        ) from None
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read: {reason}", source=source) from None


def _unpacked(content: bytes, source: str) -> bytes:
    ending = Path(source).suffix.lower()
    if ending == ".gz":
        return gzip.decompress(content)
    if ending != ".zip":
        return content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = [info for info in archive.infolist() if not info.is_dir()]
        if len(members) != 1:
            raise InputError(f"the archive holds {len(members)} files", source=source, remedy="pack one trace in it")
        return archive.read(members[0])
