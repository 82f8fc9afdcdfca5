import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, fail, messageOf, ok, type Result, writeWhole } from "@pith/kit";
import { isMap, isSeq, parseDocument } from "yaml";
import { withLock } from "../../setting/lock.ts";
import type { Grant } from "../rule/schema.ts";

/** Adds to what a project was allowed, and leaves all else in the file as it is; one that is broken is left alone. */
export async function addGrants(
  file: string,
  project: string,
  grants: readonly Grant[],
): Promise<Result<undefined, "save">> {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const done = await withLock(`${file}.lock`, () => rewrite(file, project, grants));
    return done.ok ? done.value : fail("save", done.message);
  } catch (error) {
    return fail("save", `${file} could not be written: ${messageOf(error)}`);
  }
}

function rewrite(file: string, project: string, grants: readonly Grant[]): Result<undefined, "save"> {
  const doc = parseDocument(current(file));
  if (doc.errors.length > 0) return fail("save", `${file} is not valid YAML, so it was left alone`);
  if (doc.contents !== null && !isMap(doc.contents))
    return fail("save", `${file} was left alone: it holds no projects`);
  const list = doc.get(project, true);
  if (list !== undefined && !isSeq(list)) return fail("save", `${file} was left alone: ${project} has no list there`);
  const known = new Set((isSeq(list) ? (list.toJSON() as unknown[]) : []).map((item) => JSON.stringify(item)));
  const fresh = grants.filter((grant) => !known.has(JSON.stringify(grant)));
  if (fresh.length === 0) return ok(undefined);
  if (list === undefined) doc.set(project, doc.createNode(fresh));
  else for (const grant of fresh) doc.addIn([project], doc.createNode(grant));
  // Nobody else's to read; a link in its place is replaced, not followed.
  writeWhole(file, doc.toString({ lineWidth: 0 }), "synced");
  return ok(undefined);
}

function current(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "";
    throw error;
  }
}
