import { extname } from "node:path";
import { fail, formatBytes, messageOf, ok, type Result } from "@pith/kit";
import { ArchiveFault } from "../archive/entry.ts";
import { readWhole } from "../fs/open.ts";

/** Endings of documents that are shown as Markdown. */
export const documentEnding = /\.(?:pdf|docx?|pptx?|xlsx?|rtf|epub|odt)$/i;

const maxBytes = 64 * 1024 * 1024;

/** A document as Markdown. */
export async function readDocument(path: string, signal: AbortSignal): Promise<Result<string, "document" | "aborted">> {
  const ending = extname(path).slice(1).toLowerCase();
  try {
    const text = await readers[ending]?.(path, signal);
    return text === undefined ? fail("document", `a .${ending} file is not a known document`) : ok(text);
  } catch (thrown) {
    if (signal.aborted) return fail("aborted", "stopped");
    return fail("document", thrown instanceof ArchiveFault ? thrown.message.replace("the archive", "the file") : messageOf(thrown));
  }
}

const readers: Readonly<Record<string, (path: string, signal: AbortSignal) => Promise<string>>> = {
  pdf: async (path, signal) => (await import("./pdf.ts")).pdfText(new Uint8Array(wholeOf(path)), signal),
  rtf: async (path) => (await import("./rtf.ts")).rtfText(wholeOf(path).toString("latin1")),
  docx: async (path, signal) => (await import("./docx.ts")).readDocx(path, signal),
  odt: async (path, signal) => (await import("./odt.ts")).readOdt(path, signal),
  pptx: async (path, signal) => (await import("./pptx.ts")).readPptx(path, signal),
  xlsx: async (path, signal) => (await import("./xlsx.ts")).readXlsx(path, signal),
  epub: async (path, signal) => (await import("./epub.ts")).readEpub(path, signal),
  doc: () => old("docx"),
  ppt: () => old("pptx"),
  xls: () => old("xlsx"),
};

function wholeOf(path: string): Buffer {
  const whole = readWhole(path, maxBytes);
  if (!whole.ok) throw new Error(whole.kind === "large" ? `it is larger than ${formatBytes(maxBytes)}` : whole.message.replace(`${path}: `, ""));
  return whole.value.bytes;
}

const old = (newer: string): Promise<string> => Promise.reject(new Error(`the format before .${newer} is not understood; save it as .${newer} first`));
