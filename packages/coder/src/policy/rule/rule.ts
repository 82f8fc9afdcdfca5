import type { PartTouch } from "../../judge/judged.ts";
import { isBelow } from "../../judge/path-kind.ts";
import { programOf } from "../../judge/program/table.ts";
import { matched, unknown } from "../../judge/word.ts";
import type { Sandboxing } from "../mode.ts";
import { type Bases, escapeRegex, type PathTest, pathTests } from "./glob.ts";
import type { PolicyItem } from "./item.ts";
import type { RuleLayer } from "./layer.ts";
import { isEnforceable } from "./path-rules.ts";
import { stricter } from "./ruling.ts";
import type { FileRule, Grant, Rule, RuleVerdict } from "./schema.ts";
import { allowsWords, type Fit, meetsWords, type WordPattern, wordPattern } from "./word-pattern.ts";

/** The caller of a tool, for rules that name one. */
export interface Caller {
  tool: string;
  /** The server or extension that brought the tool. */
  source: string | undefined;
}

interface Ready {
  rule: Rule;
  tool: RegExp | undefined;
  server: RegExp | undefined;
  domain: RegExp | undefined;
  words: WordPattern | undefined;
  paths: readonly PathTest[] | undefined;
  /** The sandbox hides what it forbids to read. */
  held: boolean;
}

/** Compiled rules. In a layer the last that fits counts; of layers, the last that says anything. */
export class Rules {
  readonly #layers: readonly { from: RuleLayer["from"]; rules: readonly Ready[] }[];

  constructor(layers: readonly RuleLayer[], bases: Bases) {
    this.#layers = layers.map(({ from, rules }) => ({ from, rules: rules.map((rule) => ready(rule, bases)) }));
  }

  verdict(
    item: PolicyItem,
    caller: Caller,
    sandbox: Sandboxing = "open",
  ): { verdict: RuleVerdict; rule: Rule } | undefined {
    let said: { verdict: RuleVerdict; rule: Rule } | undefined;
    for (const { from, rules } of this.#layers) {
      const here = lastIn(rules, item, caller, sandbox);
      if (!here) continue;
      if (from === "user") said = here;
      else said = !said || stricter(said.verdict, here.verdict) !== said.verdict ? here : said;
    }
    return said;
  }
}

function lastIn(rules: readonly Ready[], item: PolicyItem, caller: Caller, sandbox: Sandboxing) {
  let perhaps: Rule | undefined;
  for (const one of rules.toReversed()) {
    const { rule } = one;
    if (rule.verdict === "allow") {
      if (!allows(one, item, caller)) continue;
      // What a later rule may forbid is not let through by an earlier one.
      return perhaps ? { verdict: "ask" as const, rule: perhaps } : { verdict: rule.verdict, rule };
    }
    const fits = meets(one, item, caller, sandbox);
    if (fits === "yes") return { verdict: perhaps && rule.verdict === "ask" ? ("ask" as const) : rule.verdict, rule };
    if (fits === "maybe") perhaps ??= rule;
  }
  return perhaps && { verdict: "ask" as const, rule: perhaps };
}

function ready(rule: Rule, bases: Bases): Ready {
  const { tool, server, domain, command, path, effect } = rule;
  const paths = path === undefined ? undefined : pathTests(path, bases);
  const plain = command === undefined && domain === undefined && server === undefined && effect !== "write";
  return {
    rule,
    tool: named(tool),
    server: named(server),
    domain: named(domain?.toLowerCase()),
    words: command === undefined ? undefined : wordPattern(command),
    paths,
    held: plain && rule.verdict === "deny" && paths?.every((test) => isEnforceable(test, bases)) === true,
  };
}

const named = (pattern: string | undefined): RegExp | undefined =>
  pattern === undefined ? undefined : new RegExp(`^${pattern.split("*").map(escapeRegex).join(".*")}$`, "s");

/** True when a rule lets all of an item run. */
function allows({ rule, tool, server, domain, words, paths }: Ready, item: PolicyItem, caller: Caller): boolean {
  const { effect } = rule;
  if (!item.literal) return false;
  if (tool && !tool.test(caller.tool)) return false;
  if (server && !server.test(caller.source ?? "")) return false;
  if (effect !== undefined && effect !== "exec" && item.effects.some((does) => does !== effect && does !== "read"))
    return false;
  if (effect !== undefined && effect === "exec" && item.part === undefined && !item.effects.includes("exec"))
    return false;
  if (words && !(item.words && allowsWords(words, item.words))) return false;
  if (paths && !(item.touches.length > 0 && item.touches.every((touch) => pathFits(paths, touch, "allow") === "yes")))
    return false;
  // A path or a host is not all that a program has to do with.
  if (item.part && !words && (paths || domain)) return false;
  if (domain && !(item.hosts.length > 0 && item.hosts.every((host) => names(domain, host)))) return false;
  return true;
}

/** Tells if a rule speaks about any of an item. */
function meets(one: Ready, item: PolicyItem, caller: Caller, sandbox: Sandboxing): Fit {
  const { rule, tool, server, domain, words, paths } = one;
  const { effect } = rule;
  if (tool && !tool.test(caller.tool)) return "no";
  if (server && !server.test(caller.source ?? "")) return "no";
  if (effect !== undefined && !paths && !item.effects.includes(effect) && !(effect === "exec" && item.part))
    return "no";
  const fits: Fit[] = [];
  if (words) fits.push(meetsCommand(words, item));
  if (paths) {
    // What is hidden need not be asked about for perhaps being read.
    const hides = one.held && sandbox === "confined";
    const counts = (touch: PartTouch, fit: Fit) =>
      !(hides && fit === "maybe" && touch.effect === "read" && !touch.kept);
    fits.push(pathsMeet(paths, item, effect, counts));
  }
  if (domain) fits.push(meetsHost(domain, item));
  if (fits.includes("no")) return "no";
  return fits.includes("maybe") ? "maybe" : "yes";
}

function pathsMeet(
  paths: readonly PathTest[],
  item: PolicyItem,
  effect: Rule["effect"],
  counts: (touch: PartTouch, fit: Fit) => boolean,
): Fit {
  const touches = item.touches.filter((touch) => effect === undefined || effect === "exec" || touch.effect === effect);
  const fits: Fit[] = touches.map((touch) => {
    const fit = pathFits(paths, touch, "meet");
    return counts(touch, fit) ? fit : "no";
  });
  // What a program that nobody looked into is told, it may read or write.
  for (const touch of isGit(item) ? [] : (item.part?.said.paths ?? []))
    if (pathFits(paths, touch, "meet") !== "no" && counts(touch, "maybe")) fits.push("maybe");
  return fits.includes("yes") ? "yes" : fits.includes("maybe") ? "maybe" : "no";
}

function pathFits(paths: readonly PathTest[], touch: PartTouch, wants: "allow" | "meet"): Fit {
  const { path, named: as, all } = touch;
  if (wants === "allow") return !/[…*]/.test(path) && paths.some((one) => one.test(path)) ? "yes" : "no";
  if (paths.some((one) => one.covers(path) || (as !== undefined && one.covers(as)))) return "yes";
  // What is known only when it runs, or lies below, may be it.
  const fixed = /^[^…*]*/.exec(path)?.[0] ?? "";
  if (fixed !== path) {
    const from = fixed.slice(0, fixed.lastIndexOf("/"));
    return paths.some(({ folder }) => from === "" || isBelow(folder, from) || isBelow(from, folder)) ? "maybe" : "no";
  }
  return all && paths.some(({ folder, deep }) => isBelow(path, folder) || (deep && isBelow(folder, path)))
    ? "maybe"
    : "no";
}

/** The code of programs that run what their words, their input or a file says. */
const runners = new Set(
  "shell eval source means trap xargs env wrap sudo command find fd flock texts joined parallel entr".split(" "),
);

const rowOf = ({ words }: PolicyItem) => programOf(words?.[0] ?? "")?.row;
const isGit = (item: PolicyItem): boolean => rowOf(item)?.by === "git";

/** True for a part that may run a command of which something is known only when it runs. */
const hidesCommand = (item: PolicyItem): boolean => {
  const row = rowOf(item);
  return item.part?.effects.includes("opaque") === true && (!row || runners.has(row.by ?? ""));
};

/** Tells if a command rule speaks about a part; one that hides what it runs may be any command. */
function meetsCommand(pattern: WordPattern, item: PolicyItem): Fit {
  const { words = [] } = item;
  const fit = item.words ? meetsWords(pattern, words) : "no";
  if (fit !== "no") return fit;
  if (hidesCommand(item) || (words[0] === "alias" && words.slice(1).some((word) => isAliased(pattern, word))))
    return "maybe";
  // A program that nothing is known of, that runs others, or that is handed code may run the one that its words name.
  const { effects = [], said } = item.part ?? {};
  const row = rowOf(item);
  const wraps = effects.includes("opaque") || !row || (row.by === undefined && effects.includes("exec"));
  const told = wraps && !isGit(item) ? (said?.words ?? []) : [];
  const end = (at: number) => (pattern.more ? undefined : at + pattern.words.length);
  return told.some((_, at) => meetsWords(pattern, told.slice(at, end(at))) === "yes") ? "maybe" : "no";
}

/** True where an alias may stand for the beginning of a command that a rule names. */
const isAliased = (pattern: WordPattern, word: string | undefined): boolean =>
  word === undefined ||
  word
    .slice(word.indexOf("=") + 1)
    .replace(/["'\\]/g, "")
    .split(/\s+/)
    .some((one) => meetsWords(pattern, [one, undefined]) !== "no");

/** Tells if a rule about hosts speaks about an item; a host that is known only at run time may be any. */
function meetsHost(domain: RegExp, item: PolicyItem): Fit {
  const { hosts, effects, part } = item;
  if (hosts.some((host) => names(domain, host))) return "yes";
  // An address in the words of a program that nobody looked into may be spoken to.
  if (!isGit(item) && part?.said.words.some((word) => names(domain, hostIn(word)))) return "maybe";
  const hides = hidesCommand(item);
  if (!part || !(hides || effects.includes("net"))) return "no";
  return part.effects.includes("opaque") || hosts.length === 0 || hosts.some(isUnclear) ? "maybe" : "no";
}

/** True for a host of which something is known only when it runs, or that has a pattern which the program reads. */
const isUnclear = (host: string): boolean =>
  host === "" ||
  [unknown, matched].some((sign) => host.includes(sign)) ||
  /[%\\]|[^\x20-\x7e]/.test(host) ||
  (/[[\]{}*?]/.test(host) && !/^\[[\da-f.]*:[\da-f:.]*\]$/i.test(host));

/** The part of a word that could be a host. */
const hostIn = (word: string): string => word.replace(/^\/+/, "").replace(/\/.*$/s, "");

/** True where a rule names a host: as it is written, or as the machine that it runs on. */
function names(domain: RegExp, host: string): boolean {
  const name = hostOf(host);
  return (
    domain.test(name) ||
    (own.test(name) && ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"].some((one) => domain.test(one)))
  );
}

const own =
  /^(?:(?:.+\.)?localhost(?:\.localdomain)?|ip6-(?:localhost|loopback)|127(?:\.\d+){3}|0\.0\.0\.0|\[(?:::1?|::ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0))\])$/;

/** A host as rules name it: no dot at the end, no port, an address in its usual form. */
function hostOf(host: string): string {
  const name = host
    .toLowerCase()
    .replace(/(?<=[^:\]]|\]):\d+$/, "")
    .replace(/\.$/, "");
  const address = /^[\da-f:.]*:[\da-f:.]*$/.test(name) ? `[${name}]` : name;
  return /^[\dx][\da-fx.]*$|^\[/.test(address) ? (URL.parse(`http://${address}`)?.hostname ?? address) : address;
}

/** The patterns of `approval.files` about files that are written; the last that fits counts. */
export class FileRules {
  readonly #rules: readonly { tests: readonly PathTest[]; rule: FileRule }[];

  constructor(rules: readonly FileRule[], bases: Bases) {
    this.#rules = rules.map((rule) => ({ tests: pathTests(rule.pattern, bases), rule }));
  }

  verdict({ touches }: PolicyItem): { verdict: "allow" | "ask"; rule: FileRule } | undefined {
    const written = touches.filter(({ effect }) => effect === "write");
    const said = written.map((touch) => this.#of(touch));
    const asks = said.find((rule) => rule && !rule.autoApprove);
    if (asks) return { verdict: "ask", rule: asks };
    const [first] = said;
    return first && said.every((rule) => rule) ? { verdict: "allow", rule: first } : undefined;
  }

  #of({ path, named: as }: PartTouch): FileRule | undefined {
    const fits = ({ tests }: { tests: readonly PathTest[] }, at: string) => tests.some((one) => one.test(at));
    const real = this.#rules.findLast((one) => fits(one, path))?.rule;
    const written = as === undefined ? undefined : this.#rules.findLast((one) => fits(one, as))?.rule;
    return written && !written.autoApprove ? written : real;
  }
}

/** The earlier answers that count, and where their patterns begin. */
export class GrantTests {
  readonly #grants: { readonly all: readonly Grant[] };
  readonly #bases: Bases;
  readonly #ready = new WeakMap<Grant, Ready>();

  constructor(grants: { readonly all: readonly Grant[] }, bases: Bases) {
    this.#grants = grants;
    this.#bases = bases;
  }

  /**
   * Names the earlier answer that covers an item; a general one never covers what would be bad if it were not meant.
   */
  covering(item: PolicyItem, caller: Caller): string | undefined {
    const found = this.#grants.all.find(
      (grant) =>
        (item.risk !== "high" || grant.command?.endsWith(" *") === false) && allows(this.#of(grant), item, caller),
    );
    return found && ruleText(found);
  }

  #of(grant: Grant): Ready {
    const known = this.#ready.get(grant) ?? ready({ ...grant, verdict: "allow" }, this.#bases);
    this.#ready.set(grant, known);
    return known;
  }
}

/** A rule in one line, for people. */
export const ruleText = (rule: Grant): string =>
  Object.entries(rule)
    .flatMap(([name, value]) => (name === "verdict" ? [] : [`${name}: ${value}`]))
    .join(", ") || "everything";
