import { mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, fail, messageOf, ok, type Result, realPath } from "@pith/kit";
import { type Document, isMap, isScalar, parseDocument } from "yaml";
import { withLock } from "./lock.ts";
import { replaceFile } from "./replace.ts";
import type { Key, Value } from "./schema.ts";

/** What to write; undefined takes the key away, also one that is none of ours. */
export type Changes = ReadonlyMap<string, Value<Key> | undefined>;

/** Changes these keys in the file as it is now, and nothing else: other keys, comments and order stay. */
export async function saveChanges(file: string, changes: Changes): Promise<Result<void, "save">> {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // A link to a file kept elsewhere stays a link.
    const real = realPath(file);
    const done = await withLock(`${real}.lock`, () => rewrite(real, changes));
    return done.ok ? done.value : fail("save", done.message);
  } catch (error) {
    return fail("save", `${file} could not be written: ${messageOf(error)}`);
  }
}

function rewrite(file: string, changes: Changes): Result<void, "save"> {
  const before = current(file);
  // Whose lines end as on Windows keeps them so.
  const returns = before.text.includes("\r\n");
  const doc = parseDocument(before.text.replaceAll("\r\n", "\n"), { uniqueKeys: false });
  const broken = doc.errors[0];
  if (broken?.code === "MULTIPLE_DOCS")
    return fail("save", `${file} holds several documents where one is read, so it was left alone`);
  if (broken)
    return fail("save", `${file} is not valid YAML, so it was left alone: ${broken.message.replace(/:?\n.*/s, "")}`);
  // A file that says nothing says it in several ways.
  if (isScalar(doc.contents) && doc.contents.value === null) doc.contents = null;
  if (doc.contents !== null && !isMap(doc.contents))
    return fail("save", `${file} does not hold settings, so it was left alone`);
  for (const [key, value] of changes) {
    const names = key.split(".");
    const [path = names, ...again] = spellings(doc.contents, names);
    // What stands twice is wrong, and whoever sets it means one.
    for (const other of again) remove(doc, other);
    if (value === undefined) remove(doc, path);
    else put(doc, path, value);
  }
  const written = doc.toString({ lineWidth: 0 });
  // A document without content is written as the word null between its comments.
  const text = doc.contents === null ? written.replace(/^null$\n*/m, "") : written;
  replaceFile(file, returns ? text.replaceAll("\n", "\r\n") : text, before.mode);
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

/** Every way in which the file spells a key: nested (`approval:` over `mode:`) or dotted (`approval.mode:`). */
function spellings(node: unknown, names: readonly string[]): string[][] {
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key, value }) => {
    const name = isScalar(key) ? String(key.value) : "";
    const rest = names.slice(name.split(".").length);
    if (name !== names.slice(0, names.length - rest.length).join(".")) return [];
    return rest.length === 0 ? [[name]] : spellings(value, rest).map((below) => [name, ...below]);
  });
}

/** What stands where a group is needed gives way. */
function put(doc: Document, path: readonly string[], value: unknown): void {
  for (let n = 1; n < path.length; n++) {
    const above = path.slice(0, n);
    if (doc.hasIn(above) && !isMap(doc.getIn(above, true))) remove(doc, above);
  }
  doc.setIn(path, value);
}

/**
 * Takes a key away, and the groups it leaves empty. What stood above it is handed down: it may speak of the whole file.
 */
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
