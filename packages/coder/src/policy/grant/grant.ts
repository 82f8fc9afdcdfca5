import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { isRecord, messageOf, readPlain } from "@pith/kit";
import { loadLineFinder } from "@pith/llm";
import { parseYaml } from "../../platform.ts";
import { type Grant, wrongFields } from "../rule/schema.ts";

export interface GrantOptions {
  /** The file with the answers that hold for projects. */
  file: string;
  /** The project, by its real path. */
  project: string;
  /** Something people should know. */
  tell(text: string): void;
}

/**
 * Answers that hold for longer than one call. Those for a session are in memory only; nothing in a session's record
 * grants anything.
 */
export class Grants {
  readonly #options: GrantOptions;
  #session: readonly Grant[] = [];
  #project: readonly Grant[] = [];
  /** Size and times of the file when it was read. */
  #stamp: string | undefined;
  readonly #told = new Set<string>();
  readonly #listeners = new Set<() => void>();

  constructor(options: GrantOptions) {
    this.#options = options;
  }

  get all(): readonly Grant[] {
    return [...this.#session, ...this.#project];
  }

  /** Looks whether somebody else has changed the file. */
  async refresh(): Promise<void> {
    const { file } = this.#options;
    const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
    const stamp = stat && `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#project = stamp === undefined ? [] : await this.#read();
  }

  async add(grants: readonly Grant[], holds: "session" | "project"): Promise<void> {
    // Also where the file cannot be written the person has said yes.
    this.#session = [...this.#session, ...grants];
    if (holds === "project") await this.#save(grants);
    this.changed();
  }

  /** Adds grants until the returned function takes them back. */
  lend(grants: readonly Grant[]): () => void {
    this.#session = [...this.#session, ...grants];
    return () => {
      this.#session = this.#session.filter((grant) => !grants.includes(grant));
    };
  }

  /** Whatever lets run may let run more than before. */
  changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Calls back until the signal says that nobody listens. */
  watch(listener: () => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }

  #tell(text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#options.tell(text);
  }

  /** Reads the file; one that is broken grants nothing. */
  async #read(): Promise<readonly Grant[]> {
    const { file, project } = this.#options;
    const read = readPlain(file, { maxBytes, owner: (uid) => uid === (process.getuid?.() ?? uid) });
    if (!read.ok) {
      this.#tell(`${file}: ${read.message}; no answer that was kept there counts`);
      return [];
    }
    try {
      const { problems, grants } = grantsIn(await parseYaml(read.value), project);
      for (const { path, text } of problems)
        this.#tell(`${file}${await lineOf(read.value, path)}: ${text}; it does not count`);
      return grants;
    } catch (error) {
      const where = await lineOf(read.value, undefined);
      this.#tell(`${file}${where}: is not YAML (${messageOf(error)}); no answer that was kept there counts`);
      return [];
    }
  }

  async #save(grants: readonly Grant[]): Promise<void> {
    const { file, project } = this.#options;
    const { addGrants } = await import("./grant-file.ts");
    const saved = await addGrants(file, project, grants);
    if (!saved.ok) this.#tell(`${saved.message}; the answer holds for this session only`);
  }
}

const maxBytes = 1024 * 1024;

interface Problem {
  path: readonly (string | number)[];
  text: string;
}

function grantsIn(all: unknown, project: string): { problems: readonly Problem[]; grants: readonly Grant[] } {
  const problems: Problem[] = [];
  const grants: Grant[] = [];
  if (all === null || all === undefined) return { problems, grants };
  if (!isRecord(all)) return { problems: [{ path: [], text: "expected projects, each with a list" }], grants };
  for (const [name, list] of Object.entries(all)) {
    if (!isAbsolute(name)) problems.push({ path: [name], text: `${JSON.stringify(name)} is no project's path` });
    else if (!Array.isArray(list)) problems.push({ path: [name], text: "expected a list" });
    else
      for (const [at, item] of list.entries()) {
        const wrong = wrongGrant(item);
        if (wrong !== undefined) problems.push({ path: [name, at], text: wrong });
        else if (name === project) grants.push(item as Grant);
      }
  }
  return { problems, grants };
}

function wrongGrant(item: unknown): string | undefined {
  const wrong = wrongFields(item);
  if (wrong !== undefined) return wrong;
  const names = Object.keys(item as object);
  if (names.includes("verdict")) return "a kept answer has no verdict";
  return names.some((name) => name !== "effect") ? undefined : "it names nothing";
}

async function lineOf(text: string, path: Problem["path"] | undefined): Promise<string> {
  const { line } = (await loadLineFinder())(text)(path);
  return line === undefined ? "" : `:${line}`;
}
