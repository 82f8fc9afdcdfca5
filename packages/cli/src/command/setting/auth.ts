import { fail, messageOf, ok, type Result } from "@pith/kit";
import { loadAdmin, type Vendor } from "@pith/llm";
import { noSuch } from "../../argv/unknown.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, usage } from "../../io/io.ts";
import { readSecret } from "../../io/secret.ts";
import { type Column, inRows, printColumns, printList } from "../list.ts";
import { subcommand } from "../subcommand.ts";

interface AuthAction {
  words: string;
  run(word: string, io: Io, label: string | undefined): Promise<number>;
}

const actions: Record<string, AuthAction> = {
  list: { words: "", run: list },
  add: { words: "<vendor>", run: add },
  remove: { words: "<number>", run: remove },
  why: { words: "<vendor>", run: why },
};

/** Stores keys, and tells which key of a vendor is used. A key is never an argument: all users of the machine see those. */
export const auth = subcommand({
  usage: "[list | add <vendor> | remove <number> | why <vendor>]",
  about: "stored keys",
  help: "auth",
  options: { label: { takes: "text", as: "text", about: "what to call the key" } },
  words: async () => {
    const vendors = (await loadAdmin()).vendorNames;
    return { list: [], add: vendors, remove: [], why: vendors };
  },
  async run({ flags, words: [name = "list", ...rest] }, io) {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) return usage(io, noSuch("action", name, Object.keys(actions)));
    if (rest.length > 1 && name === "add")
      return usage(io, "give the key on standard input, not as an argument: others on this machine see arguments");
    if (rest.length !== (action.words === "" ? 0 : 1))
      return usage(io, `usage: pith auth ${name} ${action.words}`.trimEnd());
    return action.run(rest[0] ?? "", io, flags.label);
  },
});

async function list(_: string, io: Io): Promise<number> {
  const { openKeyStore, keyStoreFile, masked } = await loadAdmin();
  const opened = await openKeyStore(keyStoreFile(io.home), "is nothing");
  if (!opened.ok) return usage(io, opened.message);
  using store = opened.value;
  const rows = store?.list() ?? [];
  const lines = rows.map(({ id, vendor, kind, label, secret, blockedUntil }) => {
    const rests = blockedUntil > io.clock.now() ? `at its limit until ${new Date(blockedUntil).toISOString()}` : "";
    return [String(id), vendor, kind, masked(secret), label, rests];
  });
  if (rows.length > 0) await printColumns(columns, lines, io);
  if (rows.length === 0)
    complain(io, "no keys are stored; pith auth add <vendor> stores one, and variables work too (pith help auth)");
  return exit.finished;
}

const columns: readonly Column[] = [
  { head: "number", align: "right" },
  { head: "vendor" },
  { head: "kind" },
  { head: "ends in" },
  { head: "label", gives: true },
  { head: "" },
];

async function add(word: string, io: Io, label: string | undefined): Promise<number> {
  const vendor = await vendorNamed(word, io);
  if (!vendor.ok) return usage(io, vendor.message);
  const { checkKey, openKeyStore, keyStoreFile, masked } = await loadAdmin();
  const typed = await readSecret(`Key for ${vendor.value.id} (it is not shown): `, io);
  if (typed === "interrupted") return exit.interrupted;
  const key = checkKey(typed, "what was given");
  if (!key.ok) return usage(io, key.message);
  const opened = await openKeyStore(keyStoreFile(io.home), "is made");
  if (!opened.ok) return usage(io, opened.message);
  using store = opened.value;
  const now = io.clock.now();
  const named = label ?? new Date(now).toISOString().slice(0, 10);
  return changed(io, () => {
    const stored = store?.add({ vendor: vendor.value.id, kind: "key", label: named, secret: key.value, now });
    if (stored) io.out.write(`${stored.id}  ${stored.vendor}  ${masked(stored.secret)}\n`);
    return exit.finished;
  });
}

async function remove(word: string, io: Io): Promise<number> {
  const { openKeyStore, keyStoreFile } = await loadAdmin();
  if (!/^\d+$/.test(word)) return usage(io, "a key is removed by its number; pith auth list shows them");
  const opened = await openKeyStore(keyStoreFile(io.home), "is nothing");
  if (!opened.ok) return usage(io, opened.message);
  using store = opened.value;
  return changed(io, () =>
    store?.remove(Number(word)) === "removed" ? exit.finished : usage(io, `there is no key ${word}`),
  );
}

/** Changes the stored keys; a disk that is full or read-only leaves them as they were, and is named. */
function changed(io: Io, change: () => number): number {
  try {
    return change();
  } catch (error) {
    complain(io, `the stored keys cannot be changed (${messageOf(error)}); they are as they were`);
    return exit.unfinished;
  }
}

async function why(word: string, io: Io): Promise<number> {
  const vendor = await vendorNamed(word, io);
  if (!vendor.ok) return usage(io, vendor.message);
  const { findKeys, openKeyStore, keyStoreFile, masked } = await loadAdmin();
  const opened = await openKeyStore(keyStoreFile(io.home), "is nothing");
  if (!opened.ok) return usage(io, opened.message);
  using store = opened.value;
  const looks = await findKeys(vendor.value, { env: io.env, store });
  const alone = vendor.value.custom?.apiKey !== undefined;
  let used = 0;
  const rows = inRows(`${vendor.value.id}, from the strongest place to the weakest:`, io);
  for (const [at, { place, keys, problem }] of looks.entries()) {
    const names = keys.map((key) => `${key.id === undefined ? "" : `${key.id} `}${masked(key.secret)}`).join(", ");
    const stored = keys[0]?.id !== undefined;
    const use = useOf({ alone, stored, used, several: keys.length > 1 });
    const state = problem ?? (keys.length === 0 ? "nothing" : `${names}  ${use}`);
    rows.push(...inRows(`${place.padEnd(32)}${state}`, io, `  ${at + 1}. `, "     "));
    if (keys.length > 0) used += stored ? 1 : 2;
  }
  await printList(rows, io);
  if (used === 0) complain(io, `no key of ${vendor.value.id} was found`);
  return used > 0 ? exit.finished : exit.unfinished;
}

interface KeyUse {
  /** The vendor's address in models.yml has a key of its own, so no other one is used. */
  alone: boolean;
  stored: boolean;
  /** Keys that come before it. */
  used: number;
  several: boolean;
}

/** Stored keys come first; of the variables only the first one is used. */
function useOf({ alone, stored, used, several }: KeyUse): string {
  if (used === 0 || (stored && !alone)) return several ? "used, in turns" : "used";
  return alone || used > 1 ? "not used" : "used last";
}

async function vendorNamed(word: string, io: Io): Promise<Result<Vendor, string>> {
  const { openRegistry, vendorIn } = await loadAdmin();
  const book = await openRegistry(io.home, io.env);
  if (!book.ok) return book;
  const vendor = vendorIn(book.value.vendors, word);
  const known = book.value.vendors.map((row) => row.id);
  return vendor ? ok(vendor) : fail("vendor", noSuch("vendor", word, known, "pith models lists them"));
}
