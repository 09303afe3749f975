"""The text of workload files, plain or compressed."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from quota_verifier.errors import InputError

COMPRESSED = (".gz", ".zip")
_BLOCK_BYTES = 1 << 23


class Bytes(Protocol):
    """An open file, or what is unpacked from it."""

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, none at the end."""
        ...


def plain_suffix(path: str | Path) -> str:
    """The ending of a file's name in lower case, without that of its compression: `.swf` of `LCG.swf.gz`."""
    name = Path(path)
    return Path(name.stem if name.suffix.lower() in COMPRESSED else name.name).suffix.lower()


def read_source(path: str | Path, encoding: str = "utf-8-sig") -> str:
    """The text of a file; `.gz` is unpacked, and `.zip` where it holds one file. Raises InputError."""
    return "".join(text_blocks(path, encoding))


def text_blocks(path: str | Path, encoding: str = "utf-8-sig") -> Iterator[str]:
    """The text of `read_source` in blocks of whole lines, so that a large file is never in memory at once.

    Raises InputError.
    """
    source = str(path)
    at = 0
    try:
        for block in _byte_blocks(Path(path)):
            yield block.decode(encoding if at == 0 else encoding.removesuffix("-sig")).replace("\r\n", "\n")
            at += len(block)
    except FileNotFoundError:
        raise InputError("no such file", source=source) from None
    except IsADirectoryError:
        raise InputError("this is a directory", source=source, remedy="name a file in it") from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte {at + error.start + 1} is not UTF-8 text", source=source, remedy="save it as UTF-8"
        ) from None
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read: {reason}", source=source) from None


def _byte_blocks(path: Path) -> Iterator[bytes]:
    """The content in blocks that end with a line, the last one aside."""
    rest = b""
    with open_unpacked(path) as stream:
        while chunk := stream.read(_BLOCK_BYTES):
            end = chunk.rfind(b"\n") + 1
            if end:
                yield rest + chunk[:end]
                rest = b""
            rest += chunk[end:]
    if rest:
        yield rest


@contextmanager
def open_unpacked(path: Path) -> Generator[Bytes]:
    """The bytes of a file, unpacked as its ending says. Raises InputError for an archive of several files."""
    ending = path.suffix.lower()
    if ending != ".zip":
        with path.open("rb") as stream:
            yield gzip.GzipFile(fileobj=stream) if ending == ".gz" else stream
        return
    with zipfile.ZipFile(path) as archive:
        members = [info for info in archive.infolist() if not info.is_dir()]
        if len(members) != 1:
            raise InputError(f"the archive holds {len(members)} files", source=str(path), remedy="pack one trace in it")
        with archive.open(members[0]) as stream:
            yield stream
