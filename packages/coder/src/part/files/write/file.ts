import { type Intent, type Outcome, refusal } from "@pith/agent";
import { isCellText, notebookJson } from "@pith/host";
import { fail, formatBytes, ok, type Result } from "@pith/kit";
import {
  type Draft,
  type Editing,
  generatedText,
  openAny,
  type TextFile,
  textBytes,
  wholeChange,
} from "../../../edit/draft/file.ts";
import { allRefused, placing } from "../../../edit/draft/intent.ts";
import { type FileDone, place } from "../../../edit/draft/place.ts";
import { refusedText, withoutHunks } from "../../../edit/draft/refuse.ts";
import { Lines } from "../../../edit/text/line.ts";
import { tagHeader } from "../../../snapshot/header.ts";

/** What is written, and what is said of it before anything is. */
export interface Writing {
  content: string;
  notes: readonly string[];
  /** Names of hunks that a person refused. */
  without: readonly string[];
}

/** Makes a plain file or replaces all of it, in the encoding and with the line ends it had. */
export function prepareFile(
  editing: Editing,
  path: string,
  { content, notes, without, tags }: Writing & { tags: "shown" | "left out" },
): Intent | Outcome {
  const opened = openAny(editing, path);
  if (!opened.ok) return refusal(`${opened.message}. Nothing was written.`);
  const { name, base, target } = opened.value;
  const generated = editing.generated === "refuse" && base ? generatedText(name, base.text) : undefined;
  if (generated) return refusal(`${generated}. Nothing was written.`);
  const whole = draftFile(opened.value, editing.files.restore(base?.text ?? "", content));
  if (!whole.ok) return refusal(`${name}: ${whole.message}. Nothing was written.`);
  const was = target.is === "missing" ? [] : [`It replaced a file of ${formatBytes(Number(target.stat.size))}`];
  const said = (executable: boolean) => [
    ...was,
    ...(executable ? ["It is executable"] : []),
    ...notes,
    ...whole.value.notes,
  ];
  return wholeIntent(editing, whole.value.draft, without, ({ draft, done, refused }) => {
    const { bytes, executable = false } = draft.step;
    const header = tags === "shown" && done.tag !== undefined ? `${tagHeader(name, done.tag)}\n` : "";
    const all = [
      ...said(executable),
      ...refused,
      ...(done.inPlace ? [`Written in place because of its ${done.inPlace}`] : []),
    ];
    return {
      kind: "diff",
      data: { files: [done.change], ...(executable && { madeExecutable: true }) },
      text: `${header}Successfully wrote ${bytes.length} bytes to ${name}`,
      ...(all.length > 0 && { meta: { notes: all } }),
    };
  });
}

/** Makes or replaces the file behind an internal address. */
export function prepareAddress(
  editing: Editing,
  path: string,
  { href, content, without }: { href: string } & Omit<Writing, "notes">,
): Intent | Outcome {
  const opened = openAny(editing, path);
  if (!opened.ok) return refusal(`${opened.message}. Nothing was written.`);
  const whole = wholeDraft({ ...opened.value, name: href }, content, Buffer.from(content));
  // It is pith's own, as the record of the session is.
  const draft = { ...whole, step: { ...whole.step, mode: 0o600 } };
  return wholeIntent(editing, draft, without, ({ draft: made, refused }) => ({
    kind: "prose",
    data: {},
    text: `Successfully wrote ${made.step.bytes.length} bytes to ${href}`,
    meta: { source: { internal: href }, ...(refused.length > 0 && { notes: refused }) },
  }));
}

/** A draft that writes a whole content. */
type WholeDraft = Draft & { step: { do: "write" }; after: string };

/** What became of it. */
interface Written {
  draft: WholeDraft;
  done: FileDone;
  refused: string[];
}

function wholeIntent(
  editing: Editing,
  draft: WholeDraft,
  without: readonly string[],
  tell: (written: Written) => Outcome,
): Intent | Outcome {
  const left = withoutHunks([draft], without);
  if (!left.ok) return refusal(`${left.message} Nothing was written.`);
  const [rest] = left.value.drafts;
  if (rest?.step.do !== "write" || rest.after === undefined) return allRefused;
  const executable = rest.step.executable === true && rest.after.startsWith("#!");
  const kept = { ...rest, after: rest.after, step: { ...rest.step, executable } };
  const refused = left.value.refused.length > 0 ? [refusedText(left.value.refused)] : [];
  return {
    ...placing([kept]),
    async run() {
      const placed = await place(editing, [kept]);
      if (!placed.ok) return refusal(`${placed.message}. Nothing was written.`);
      const [done] = placed.value;
      if (!done) throw new Error("a file was written that nobody knows of");
      return tell({ draft: kept, done, refused });
    },
  };
}

const wholeDraft = (file: TextFile, after: string, bytes: Uint8Array): WholeDraft => ({
  file,
  step: { do: "write", target: file.target, bytes },
  after,
  changes: [wholeChange(file, after)],
});

function draftFile(file: TextFile, content: string): Result<{ draft: WholeDraft; notes: string[] }, "content"> {
  const made = contentOf(file.path, content, file.base);
  if (!made.ok) return made;
  const { text, bytes, notes } = made.value;
  const draft = wholeDraft(file, text, bytes);
  return ok({ draft: { ...draft, step: { ...draft.step, executable: text.startsWith("#!") } }, notes });
}

interface Content {
  text: string;
  bytes: Uint8Array;
  notes: string[];
}

function contentOf(path: string, content: string, had: TextFile["base"]): Result<Content, "content"> {
  if (path.endsWith(".ipynb") && isCellText(content)) {
    const json = notebookJson(content, had?.text);
    return json.ok
      ? ok({ text: json.value, bytes: Buffer.from(json.value), notes: ["Written as the cells of a notebook"] })
      : fail("content", json.message);
  }
  if (!content.isWellFormed())
    return fail("content", "the content holds half of a surrogate pair, which no file can hold");
  // In a file of several, the most frequent line ends are the ones it was meant to have.
  const eol = had === undefined || content.includes("\r") ? "\n" : new Lines(had.text).style;
  const text = eol === "\n" ? content : content.replaceAll("\n", eol);
  const notes = eol === "\n" ? [] : [`Its line ends (${eol === "\r" ? "CR" : "CRLF"}) were kept`];
  if (!had || (had.encoding === "utf-8" && had.bom === "no bom" && !had.bad))
    return ok({ text, bytes: Buffer.from(text), notes });
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  const encoded = textBytes(had, [{ start: 0, end: had.text.length, text: plain }]);
  if (!encoded.ok) {
    const why = encoded.message.replace(/\.$/, "");
    return ok({ text, bytes: Buffer.from(text), notes: [...notes, `Now UTF-8: ${why}`] });
  }
  const kept =
    had.encoding !== "utf-8" ? `encoding (${had.encoding})` : had.bom === "bom" ? "byte order mark" : undefined;
  return ok({
    text: plain,
    bytes: encoded.value,
    notes: kept === undefined ? notes : [...notes, `Its ${kept} was kept`],
  });
}
