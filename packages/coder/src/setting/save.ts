import { mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, fail, messageOf, ok, type Result, realPath, writeWhole } from "@pith/kit";
import { type Document, isMap, isScalar, parseDocument } from "yaml";
import { withLock } from "./lock.ts";
import type { Key, Value } from "./schema.ts";

/** Values to write; undefined removes a key, which may be unknown. */
export type Changes = ReadonlyMap<string, Value<Key> | undefined>;

/** Changes these keys in the file as it is now. Other keys, comments and the order stay. */
export async function saveChanges(file: string, changes: Changes): Promise<Result<void, "save">> {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // A link stays a link.
    const real = realPath(file);
    const done = await withLock(`${real}.lock`, () => rewrite(real, changes));
    return done.ok ? done.value : fail("save", done.message);
  } catch (error) {
    return fail("save", `${file} could not be written: ${messageOf(error)}`);
  }
}

function rewrite(file: string, changes: Changes): Result<void, "save"> {
  const before = current(file);
  // Windows line ends are kept.
  const returns = before.text.includes("\r\n");
  const doc = parseDocument(before.text.replaceAll("\r\n", "\n"), { uniqueKeys: false });
  const broken = doc.errors[0];
  if (broken?.code === "MULTIPLE_DOCS")
    return fail("save", `${file} has several YAML documents instead of one, so it was left alone`);
  if (broken)
    return fail("save", `${file} is not valid YAML, so it was left alone: ${broken.message.replace(/:?\n.*/s, "")}`);
  // An empty document may have null as its content.
  if (isScalar(doc.contents) && doc.contents.value === null) doc.contents = null;
  if (doc.contents !== null && !isMap(doc.contents))
    return fail("save", `${file} does not hold settings, so it was left alone`);
  for (const [key, value] of changes) {
    const names = key.split(".");
    const [path = names, ...again] = spellings(doc.contents, names);
    // Removes repetitions of the key.
    for (const other of again) remove(doc, other);
    if (value === undefined) remove(doc, path);
    else put(doc, path, value);
  }
  const written = doc.toString({ lineWidth: 0 });
  // A document without content is written as the word null between its comments.
  const text = doc.contents === null ? written.replace(/^null$\n*/m, "") : written;
  writeWhole(file, returns ? text.replaceAll("\n", "\r\n") : text, "synced", before.mode);
  return ok(undefined);
}

function current(file: string): { text: string; mode: number } {
  try {
    return { text: readFileSync(file, "utf8"), mode: statSync(file).mode & 0o777 };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { text: "", mode: 0o600 };
    throw error;
  }
}

/** Returns all paths by which the file has a key: nested (`approval:` over `mode:`) or dotted (`approval.mode:`). */
function spellings(node: unknown, names: readonly string[]): string[][] {
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key, value }) => {
    const name = isScalar(key) ? String(key.value) : "";
    const rest = names.slice(name.split(".").length);
    if (name !== names.slice(0, names.length - rest.length).join(".")) return [];
    return rest.length === 0 ? [[name]] : spellings(value, rest).map((below) => [name, ...below]);
  });
}

/** Sets a value. A value in place of a needed group is removed. */
function put(doc: Document, path: readonly string[], value: unknown): void {
  for (let n = 1; n < path.length; n++) {
    const above = path.slice(0, n);
    if (doc.hasIn(above) && !isMap(doc.getIn(above, true))) remove(doc, above);
  }
  doc.setIn(path, value);
}

/** Removes a key, and groups that become empty. A comment above it stays, because it may be about the whole file. */
function remove(doc: Document, path: readonly string[]): void {
  const group = path.length === 1 ? doc.contents : doc.getIn(path.slice(0, -1));
  if (!isMap(group)) return;
  const at = group.items.findIndex(({ key }) => isScalar(key) && key.value === path.at(-1));
  if (at === -1) return;
  const key = group.items[at]?.key;
  const comment = isScalar(key) ? key.commentBefore : undefined;
  const heir = group.items[at + 1]?.key;
  group.items.splice(at, 1);
  if (comment && isScalar(heir))
    heir.commentBefore = heir.commentBefore ? `${comment}\n${heir.commentBefore}` : comment;
  else if (comment) doc.comment = doc.comment ? `${comment}\n${doc.comment}` : comment;
  if (group.items.length > 0) return;
  if (path.length > 1) remove(doc, path.slice(0, -1));
  else doc.contents = null;
}
