// Unpacks the pinned headless Chromium, the libraries and fonts it needs, and axe-core into one folder:
//     node tools/browser/unpack.mjs .cache/browser
// No root and no system package is needed. What the folder held before is replaced.

import { copyFileSync, createReadStream, createWriteStream, mkdirSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { extract } from "tar-fs";

const target = process.argv[2];
if (!target) {
  console.error("usage: node tools/browser/unpack.mjs FOLDER");
  process.exit(2);
}

const require = createRequire(import.meta.url);
const packed = join(dirname(require.resolve("@sparticuz/chromium")), "..", "bin");
const unpacked = (name, sink) => pipeline(createReadStream(join(packed, name)), createBrotliDecompress(), sink);

const partial = `${target}.partial`;
rmSync(partial, { recursive: true, force: true });
mkdirSync(partial, { recursive: true });
await unpacked("al2023.tar.br", extract(partial)); // lib/: NSS and what else a bare system lacks
await unpacked("fonts.tar.br", extract(partial)); // fonts/
copyFileSync(require.resolve("axe-core/axe.min.js"), join(partial, "axe.min.js"));
await unpacked("chromium.br", createWriteStream(join(partial, "chromium"), { mode: 0o755 }));
rmSync(target, { recursive: true, force: true });
renameSync(partial, target);
