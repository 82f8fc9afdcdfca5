import { type Intent, type Outcome, refusal } from "@pith/agent";
import { isCellText, notebookJson, type Step } from "@pith/host";
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
import { draftIntent } from "../../../edit/draft/intent.ts";
import { Lines } from "../../../edit/text/line.ts";
import { tagHeader } from "../../../snapshot/header.ts";

export interface Writing {
  content: string;
  /** Notes about the content, for the model. */
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
  return draftIntent(editing, [whole.value.draft], { without }, () => ({ drafts: [draft], done: [done], refused }) => {
    const { bytes, executable } = writeOf(draft);
    const header = tags === "shown" && done?.tag !== undefined ? `${tagHeader(name, done.tag)}\n` : "";
    const all = [
      ...was,
      ...(executable ? ["It is executable"] : []),
      ...notes,
      ...whole.value.notes,
      ...refused,
      ...(done?.inPlace ? [`Written in place because of its ${done.inPlace}`] : []),
    ];
    return {
      kind: "diff",
      data: { files: done ? [done.change] : [], ...(executable && { madeExecutable: true }) },
      text: `${header}Successfully wrote ${bytes.length} bytes to ${name}`,
      meta: all.length > 0 ? { notes: all } : undefined,
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
  // It is pith's own, as the record of the session is.
  const draft = wholeDraft({ ...opened.value, name: href }, content, { bytes: Buffer.from(content), mode: 0o600 });
  return draftIntent(editing, [draft], { without }, () => ({ drafts: [made], refused }) => ({
    kind: "prose",
    data: {},
    text: `Successfully wrote ${writeOf(made).bytes.length} bytes to ${href}`,
    meta: { source: { internal: href }, ...(refused.length > 0 && { notes: [...refused] }) },
  }));
}

function writeOf(draft: Draft | undefined): Pick<Step & { do: "write" }, "bytes" | "executable"> {
  if (draft?.step.do !== "write") throw new Error("a whole content is written");
  return draft.step;
}

const wholeDraft = (file: TextFile, after: string, content: Omit<Step & { do: "write" }, "do" | "target">): Draft => ({
  file,
  step: { do: "write", target: file.target, ...content },
  after,
  changes: [wholeChange(file, after)],
});

function draftFile(file: TextFile, content: string): Result<{ draft: Draft; notes: string[] }, "content"> {
  const made = contentOf(file.path, content, file.base);
  if (!made.ok) return made;
  const { text, bytes, notes } = made.value;
  return ok({ draft: wholeDraft(file, text, { bytes, executable: text.startsWith("#!") }), notes });
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
  // In a file with several, the most frequent line ends are the ones it was meant to have.
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
  const kept = had.encoding !== "utf-8" ? [`encoding (${had.encoding})`] : had.bom === "bom" ? ["byte order mark"] : [];
  const all = [...notes, ...kept.map((what) => `Its ${what} was kept`)];
  return ok({ text: plain, bytes: encoded.value, notes: all });
}
