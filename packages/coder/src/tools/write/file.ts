import { type Outcome, refusal } from "@pith/agent";
import { findAny, isCellText, notebookJson, writeTo } from "@pith/host";
import { fail, formatBytes, ok, type Result, showPath } from "@pith/kit";
import { generatedMark } from "../../edit/generated.ts";
import { oneLine, trouble } from "../../files/path.ts";
import { type Decoded, decode, encode, markOf } from "../../snapshot/decode.ts";
import { tagHeader } from "../../snapshot/header.ts";
import { fileChange } from "../change.ts";
import type { WriteParts } from "./parts.ts";

/** Makes a plain file or replaces all of it, in the encoding and with the line ends it had. */
export async function writeFile(
  parts: WriteParts,
  path: string,
  given: string,
  before: readonly string[],
): Promise<Outcome> {
  const name = oneLine(showPath(parts.cwd, path));
  const target = findAny(path);
  if (!target.ok) return refusal(`${trouble(parts, path, target)}. Nothing was written.`);
  const old = target.value.is === "file" ? target.value.bytes : undefined;
  const decoded = old && decode(old);
  const had = decoded?.ok ? decoded.value : undefined;
  const mark = parts.generated === "refuse" && had ? generatedMark(had.text) : undefined;
  if (mark)
    return refusal(
      `${name} is generated (it says ${JSON.stringify(mark.slice(0, 120))}); change what generates it instead. Nothing was written.`,
    );
  const content = contentOf(path, given, had);
  if (!content.ok) return refusal(`${name}: ${content.message}. Nothing was written.`);
  const { text, bytes, notes } = content.value;
  const executable = text.startsWith("#!");
  const written = await writeTo(target.value, bytes, executable);
  if (!written.ok) return refusal(`${trouble(parts, path, written)}. Nothing was written.`);
  const { inPlace } = written.value;
  const was =
    target.value.is === "missing" ? undefined : `It replaced a file of ${formatBytes(Number(target.value.stat.size))}`;
  const all = [
    ...(was ? [was] : []),
    ...(executable ? ["It is executable"] : []),
    ...before,
    ...notes,
    ...(inPlace ? [`Written in place because of its ${inPlace}`] : []),
  ];
  const header = parts.display === "hashline" ? `${tagHeader(name, parts.snapshots.mint(path, bytes))}\n` : "";
  const shown = target.value.is === "missing" ? undefined : (had?.text ?? old?.toString() ?? "");
  return {
    kind: "diff",
    data: { files: [await fileChange(name, shown, text)], ...(executable && { madeExecutable: true }) },
    text: `${header}Successfully wrote ${bytes.length} bytes to ${name}`,
    ...(all.length > 0 && { meta: { notes: all } }),
  };
}

interface Content {
  text: string;
  bytes: Uint8Array;
  notes: string[];
}

function contentOf(path: string, given: string, had: Decoded | undefined): Result<Content, "content"> {
  if (path.endsWith(".ipynb") && isCellText(given)) {
    const json = notebookJson(given, had?.text);
    return json.ok
      ? ok({ text: json.value, bytes: Buffer.from(json.value), notes: ["Written as the cells of a notebook"] })
      : fail("content", json.message);
  }
  if (!given.isWellFormed())
    return fail("content", "the content holds half of a surrogate pair, which no file can hold");
  const windows = had !== undefined && mostlyWindows(had.text) && !given.includes("\r\n");
  const text = windows ? given.replaceAll("\n", "\r\n") : given;
  const notes = windows ? ["Its line ends (CRLF) were kept"] : [];
  if (!had || (had.encoding === "utf-8" && had.bom === "no bom")) return ok({ text, bytes: Buffer.from(text), notes });
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  const encoded = encode(plain, had.encoding);
  if (!encoded.ok)
    return ok({ text, bytes: Buffer.from(text), notes: [...notes, `Now UTF-8: the new content ${encoded.message}`] });
  const kept = had.encoding === "utf-8" ? "byte order mark" : `encoding (${had.encoding})`;
  return ok({
    text: plain,
    bytes: Buffer.concat([markOf(had), encoded.value]),
    notes: [...notes, `Its ${kept} was kept`],
  });
}

/** In a file of both, the more frequent line ends are the ones it was meant to have. */
function mostlyWindows(text: string): boolean {
  const windows = text.match(/\r\n/g)?.length ?? 0;
  return windows > 0 && windows * 2 > (text.match(/\n/g)?.length ?? 0);
}
