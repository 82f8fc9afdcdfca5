import { statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { entriesIn, fileStat, readPlain, tryOr } from "@pith/kit";
import type { Secrets } from "./secrets.ts";

/** Files whose business is keys: what part of one is a key is told by the whole of it. */
const holds =
  /^(?:\.env(?:rc|\..*)?|.*\.env|.*\.(?:pem|key|pfx|p8|ppk|tfvars|keystore)|id_(?:rsa|dsa|ecdsa|ed25519)\w*|\.?(?:npmrc|netrc|pypirc|pgpass|my\.cnf|git-credentials|dockerconfigjson|vault-token|htpasswd)|(?:\.?secrets?|credentials?|service[-_]?account.*)(?:\.\w+)?)$/i;

const largest = 1 << 20;

/** Learns the keys of such files before anything of them is shown; a file is read again when it has changed. */
export class KeyFiles {
  readonly #secrets: Secrets;
  readonly #seen = new Map<string, string>();

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** Finds the key files among a path that a call reads: the path itself, or such files in it. */
  look(path: string): void {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) this.#folder(path);
    if (!stat?.isFile() || !holds.test(basename(path)) || stat.size > largest) return;
    const print = `${stat.size} ${stat.mtimeMs} ${stat.ino}`;
    if (this.#seen.get(path) === print) return;
    this.#seen.set(path, print);
    const text = readPlain(path, { maxBytes: largest });
    if (text.ok) this.#secrets.learn(text.value);
  }

  /** Finds the key files among the words of a command. */
  command(text: string, cwd: string): void {
    this.#folder(cwd);
    for (const [word] of text.matchAll(/[^\s"'`;|&<>()=:,]+/g)) this.#file(resolve(cwd, word));
  }

  #folder(folder: string): void {
    for (const { name } of entriesIn(folder)) this.#file(join(folder, name));
  }

  /** Looks at a file; what cannot be looked at cannot be read by whoever asks, or says so itself. */
  #file(path: string): void {
    if (holds.test(basename(path)) && fileStat(path)?.isFile()) tryOr(() => this.look(path));
  }
}
