import { type AnyTarget, type FsKind, type Notebook, openNotebook, type Step } from "@pith/host";
import { fail, ok, type Result } from "@pith/kit";
import type { Files } from "../../files/files.ts";
import type { Decoded } from "../../snapshot/decode.ts";
import type { Snapshots } from "../../snapshot/snapshot.ts";
import { type Change, compile, splice, spliceText } from "../text/change.ts";
import { generatedMark } from "./generated.ts";

/** Everything that a dialect needs to read and write files. */
export interface Editing {
  files: Pick<Files, "cwd" | "find" | "findAny" | "place" | "restore" | "show" | "stat">;
  /** The absolute path that a name in an edit means. */
  resolve(name: string): string;
  snapshots: Snapshots;
  /** Refuses to change files that a program wrote, or allows it. */
  generated: "refuse" | "allow";
}

/** A file as an edit sees it. */
export interface TextFile {
  path: string;
  name: string;
  target: AnyTarget;
  /** The text, and the bytes that it was decoded from; undefined when there is no file, or none that was read as text. */
  base: (Decoded & { bytes: Uint8Array }) | undefined;
  /** The file of a notebook as it stands; `base` is then the text of its cells. */
  notebook?: Notebook & { json: string };
  /** The draft that leaves it like this; absent for a file as it stands on the disk. */
  made?: Draft;
}

export function openText({ files, generated, snapshots }: Editing, path: string): Result<TextFile, FsKind> {
  const name = files.show(path);
  const there = files.find(path);
  if (!there.ok) return fail(there.kind, there.message.replace(path, name));
  const target = there.value;
  if (target.is === "missing") return ok({ path, name, target, base: undefined });
  const decoded = snapshots.decode(path, target.bytes);
  if (!decoded.ok) return fail("binary", `${name}: ${decoded.message}; it cannot be edited as text`);
  const base = { ...decoded.value, bytes: target.bytes };
  const refused = generated === "refuse" ? generatedText(name, base.text) : undefined;
  if (refused !== undefined) return fail("denied", refused);
  const notebook = path.endsWith(".ipynb") ? openNotebook(base.text) : undefined;
  if (!notebook) return ok({ path, name, target, base });
  const cells = { ...base, text: notebook.text };
  return ok({ path, name, target, base: cells, notebook: { ...notebook, json: base.text } });
}

/** Opens a file that is replaced or removed as a whole: it may be no text, or too large to be read. */
export function openAny({ files, snapshots }: Editing, path: string): Result<TextFile, FsKind> {
  const name = files.show(path);
  const there = files.findAny(path);
  if (!there.ok) return fail(there.kind, there.message.replace(path, name));
  const target = there.value;
  const decoded = target.is === "file" ? snapshots.decode(path, target.bytes) : undefined;
  const base = target.is === "file" && decoded?.ok ? { ...decoded.value, bytes: target.bytes } : undefined;
  return ok({ path, name, target, base });
}

/** The reason to leave a file alone that says a program wrote it. */
export function generatedText(name: string, text: string): string | undefined {
  const mark = generatedMark(text);
  if (mark === undefined) return undefined;
  const why = `it says ${JSON.stringify(mark.slice(0, 120))}`;
  return `${name} is generated (${why}); change what generates it (the setting edit.generated allows this)`;
}

/** A planned change of a file, not yet made. */
export interface Draft {
  file: TextFile;
  step: Step;
  after: string | undefined;
  changes: readonly Change[];
  /** The file that is moved here. */
  from?: TextFile;
  /** The path that this file is moved to, by a draft that speaks for both. */
  movedTo?: string;
  /** The lines that block operations were resolved to. */
  echoes?: readonly string[];
}

export function draftChanges(file: TextFile, changes: readonly Change[]): Result<Draft, "edit"> {
  const { base, target, name } = file;
  if (!base) throw new Error(`${name} does not exist`);
  const after = spliceText(base.text, changes);
  const bytes = file.notebook ? notebookBytes(file.notebook, base, after) : textBytes(base, changes);
  if (!bytes.ok) return fail("edit", `${name}: ${bytes.message}`);
  return ok({ file, step: { do: "write", target, bytes: bytes.value }, after, changes });
}

/** The bytes of a file after the changes of its text. */
export function textBytes(base: NonNullable<TextFile["base"]>, changes: readonly Change[]): Result<Uint8Array, "edit"> {
  const plan = compile(base, changes);
  return plan.ok ? ok(splice(base.bytes, plan.value)) : fail("edit", `${plan.message}.`);
}

/** The cells are changed as text, the file where their lines stand in it. */
function notebookBytes(
  notebook: NonNullable<TextFile["notebook"]>,
  base: NonNullable<TextFile["base"]>,
  after: string,
): Result<Uint8Array, "edit"> {
  const { json } = notebook;
  const made = notebook.apply(after);
  if (!made.ok) return fail("edit", `${made.message}. Nothing was changed.`);
  return textBytes({ ...base, text: json }, [{ start: 0, end: json.length, text: made.value }]);
}

/** The whole content, whatever stood there before. */
export function draftContent(file: TextFile, content: string): Draft {
  return {
    file,
    step: { do: "write", target: file.target, bytes: Buffer.from(content) },
    after: content,
    changes: [wholeChange(file, content)],
  };
}

export const wholeChange = ({ base }: TextFile, text: string): Change => ({
  start: 0,
  end: base?.text.length ?? 0,
  text,
});

export const draftRemoval = (file: TextFile): Draft => ({
  file,
  step: { do: "remove", target: file.target },
  after: undefined,
  changes: [wholeChange(file, "")],
});
