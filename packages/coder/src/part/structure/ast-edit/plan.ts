import { compileRule, mayMatch, planRewrite, type Replacement, type RewriteRule, withTree } from "@pith/host";
import { fail, hasher, ok, type Result } from "@pith/kit";
import { generatedMark } from "../../../edit/draft/generated.ts";
import { errorsOf } from "../../../edit/syntax/syntax.ts";
import { type Change, spliceText } from "../../../edit/text/change.ts";
import type { Files } from "../../../files/files.ts";
import { maxFiles, RuleBook } from "../rule.ts";
import { eachSource, listSources, type SourceScopes, type SourceText } from "../source.ts";
import { mayHold, placesOf, touches } from "../unparsed.ts";

export interface Op {
  pat: string;
  out: string;
}

export interface RewriteOptions {
  files: Files;
  env: Readonly<Record<string, string | undefined>>;
  generated: "refuse" | "allow";
}

export interface Rewrite {
  files: RewrittenFile[];
  searched: number;
  full: boolean;
  issues: string[];
  notes: string[];
}

export interface RewrittenFile {
  source: SourceText;
  plan: Replacement[];
  after: string;
}

/** Plans the changes of the ops below the paths, each file in its own language. Nothing is written. */
export async function planOps(
  options: RewriteOptions,
  scopes: SourceScopes,
  ops: readonly Op[],
  signal: AbortSignal,
): Promise<Result<Rewrite, "path" | "overlap">> {
  const { files, env } = options;
  const patterns = ops.map(({ pat }) => pat);
  const sources = await listSources(files, scopes, patterns, signal);
  if (!sources.ok) return sources;
  const book = new RuleBook<Op, RewriteRule>(ops, ({ pat, out }, language) => compileRule(pat, out, language));
  const made: Rewrite = { files: [], searched: 0, full: false, issues: [], notes: sources.value.notes };
  for await (const source of eachSource(files, sources.value.files, signal)) {
    made.searched++;
    const file = await planFile(options, source, book, made);
    if (!file.ok) return file;
    if (!file.value) continue;
    if (made.files.length === maxFiles(env)) {
      made.full = true;
      break;
    }
    made.files.push(file.value);
  }
  made.issues.unshift(...book.refused);
  return ok(made);
}

async function planFile(
  { generated }: RewriteOptions,
  source: SourceText,
  book: RuleBook<Op, RewriteRule>,
  made: Rewrite,
): Promise<Result<RewrittenFile | undefined, "overlap">> {
  const { name, text } = source;
  const { language, rules } = await book.of(source.language);
  const likely = rules.filter((rule) => mayMatch(rule.pattern, text));
  if (likely.length === 0) return ok(undefined);
  const read = withTree(text, language, (tree) => ({ plan: planRewrite(likely, tree, text), unread: tree.errors() }));
  if (!read) {
    made.issues.push(`${name}: cannot be parsed in a reasonable time; the file is left alone`);
    return ok(undefined);
  }
  const { plan, unread } = read;
  // What stands where the grammar is at a loss may be anything: only what it knows is rewritten.
  const known = plan.ok ? plan.value.filter((edit) => !unread.some((issue) => touches(edit, issue))) : [];
  const dropped = plan.ok && known.length < plan.value.length;
  const patterns = likely.map(({ pattern }) => pattern);
  const rest = dropped || mayHold(patterns, unread, text) ? "look there yourself" : "no word of a pattern is there";
  if (unread.length > 0) made.issues.push(`${name}: the grammar does not know ${placesOf(unread)}; ${rest}`);
  if (plan.ok && known.length === 0) return ok(undefined);
  if (generated === "refuse" && generatedMark(text)) {
    made.issues.push(`${name}: is generated; the file is left alone`);
    return ok(undefined);
  }
  if (!plan.ok) return fail("overlap", `${plan.message} (${name})`);
  const after = spliceText(text, changesOf(known));
  const errors = await errorsOf(after, source.path, source.language);
  const old = new Set((errors.length > 0 ? await errorsOf(text, source.path, source.language) : []).map(messageOf));
  const broken = errors.find((error) => !old.has(messageOf(error)));
  if (broken) made.notes.push(`After the rewrite ${name} does not parse (line ${broken.line}: ${broken.message})`);
  return ok({ source, plan: known, after });
}

const messageOf = ({ message }: { message: string }) => message;

export const changesOf = (plan: readonly Replacement[]): Change[] =>
  plan.map(({ from, to, after }) => ({ start: from.index, end: to.index, text: after }));

/** A hash of all edits and the texts that they are of: two plans with the same print make the same files. */
export function printOf({ files, full }: Rewrite): string {
  const edits = ({ plan }: RewrittenFile) =>
    plan.map(({ from, to, before, after }) => [from.index, to.index, before, after]);
  const changes = files.map((file) => [file.source.path, file.source.text, edits(file)]);
  return hasher("sha256")
    .update(JSON.stringify([full, changes]))
    .digest("hex");
}
