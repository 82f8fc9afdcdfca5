// Code that differs between runtimes or touches the disk; loaded where it is needed.
import { parseWith, requirePackage } from "@pith/kit";

export const readText = async (path: string): Promise<string> =>
  (await import("node:fs/promises")).readFile(path, "utf8");

/** Throws a SyntaxError for text that is not YAML. */
export const parseYaml = (text: string): unknown =>
  typeof Bun === "undefined"
    ? parseWith(requirePackage<typeof import("yaml")>("yaml").parse, text)
    : Bun.YAML.parse(text);

/** Shrinks an image to a JPEG within these bounds; `fits` when it is within them already. */
export async function shrinkImage(
  bytes: Buffer,
  maxSide: number,
  maxBytes: number,
): Promise<Buffer | "fits" | "unreadable"> {
  if (typeof Bun === "undefined") return bytes.length <= maxBytes ? "fits" : "unreadable";
  try {
    const { width, height } = await new Bun.Image(bytes).metadata();
    let side = Math.min(maxSide, Math.max(width, height));
    if (side === Math.max(width, height) && bytes.length <= maxBytes) return "fits";
    for (; side >= 64; side = Math.floor(side / 2)) {
      const scale = side / Math.max(width, height);
      const box = [width, height].map((length) => Math.max(1, Math.round(length * scale))) as [number, number];
      const small = Buffer.from(
        await new Bun.Image(bytes)
          .resize(...box)
          .jpeg({ quality: 80 })
          .bytes(),
      );
      if (small.length <= maxBytes) return small;
    }
  } catch {
    // Not an image, or one this machine cannot decode.
  }
  return "unreadable";
}

/**
 * A fetch that decompresses the answer as it is read: Bun would first decompress all it has received when told to stop,
 * and a few hundred bytes may expand to gigabytes.
 */
export async function fetchSafely(url: URL | string, init: BunFetchRequestInit): Promise<Response> {
  if (typeof Bun === "undefined") return fetch(url, init);
  const response = await fetch(url, { ...init, decompress: false });
  const encoding = response.headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  return response.body && packers.has(encoding) ? unpacked(response, response.body, encoding) : response;
}

/**
 * Opens a connection for a coming request. Bun cannot do so for the default port of a scheme (fixed in later versions),
 * so there only the name is looked up.
 */
export function preconnect({ protocol, hostname, port, origin }: URL): void {
  if (typeof Bun === "undefined") return;
  if (port !== "") fetch.preconnect(origin);
  else Bun.dns.prefetch(hostname, protocol === "https:" ? 443 : 80);
}

const packers: ReadonlySet<string> = new Set(["gzip", "x-gzip", "deflate", "br", "zstd"]);

async function unpacked({ status, headers }: Response, body: ReadableStream, encoding: string): Promise<Response> {
  const [{ Readable, pipeline }, zlib] = await Promise.all([import("node:stream"), import("node:zlib")]);
  const chunk = { chunkSize: 65_536 };
  const unpacker =
    encoding === "br"
      ? zlib.createBrotliDecompress(chunk)
      : encoding === "zstd"
        ? zlib.createZstdDecompress(chunk)
        : zlib.createUnzip(chunk);
  const source = Readable.fromWeb(body as unknown as Parameters<typeof Readable.fromWeb>[0], { highWaterMark: 1 });
  // Errors come out of the unpacker, where they are read.
  pipeline(source, unpacker, () => {});
  const plain = new Headers(headers);
  for (const name of ["content-encoding", "content-length"]) plain.delete(name);
  return new Response(Readable.toWeb(unpacker) as unknown as ReadableStream, { status, headers: plain });
}
