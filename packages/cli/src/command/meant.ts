import { nearest } from "@pith/kit";
import { launchFlags } from "../argv/flag.ts";
import { parseArguments } from "../argv/parse.ts";

/** Words of other agents, and what one types here instead. */
const others: Readonly<Record<string, string>> = {
  login: "pith auth add <vendor> keeps a key (pith help auth)",
  logout: "pith auth remove <number> forgets a key (pith help auth)",
  keys: "pith auth lists the keys that pith keeps",
  whoami: "pith auth lists the keys that pith keeps",
  "setup-token": "pith auth add <vendor> keeps a key (pith help auth)",
  setup: "pith doctor says what is missing, pith help models how to connect a model",
  init: "pith needs no set-up; pith doctor says what is missing, and /init in a conversation writes an AGENTS.md",
  onboard: "pith doctor says what is missing, pith help models how to connect a model",
  update: "pith does not update itself; pith help install tells how, pith version which one this is",
  upgrade: "pith does not update itself; pith help install tells how, pith version which one this is",
  install: "pith help install tells of installing, updating and leaving",
  uninstall: "pith help install tells how to remove pith, and what it has written where",
  mcp: "pith knows no MCP servers yet",
  plugin: "pith knows no plugins yet",
  plugins: "pith knows no plugins yet",
  skills: "pith doctor shows the skills that were found, /skill:<name> calls one (pith help sources)",
  hooks: "pith knows no hooks of other programs",
  memory: "AGENTS.md is what a project tells the model",
  agents: "pith knows no agents of other programs",
  agent: "pith knows no agents of other programs",
  server: "pith serve holds sessions that live on (pith help serve)",
  web: "pith has no page in a browser; pith export writes a session as one",
  share: "pith export writes a session as a page that can be given to others",
  setting: "pith config shows and changes settings",
  settings: "pith config shows and changes settings",
  "config-set": "pith config set <key> <value> changes a setting",
  permissions: "pith config set approval.mode <mode> says what runs unasked (pith help approval)",
  providers: "pith models lists vendors, and what each of them needs",
  vendors: "pith models lists vendors, and what each of them needs",
  list: "pith sessions lists sessions, pith models models",
  ls: "pith sessions lists sessions, pith models models",
  history: "pith sessions finds anything that was said",
  resume: "pith -c goes on with the last session, pith -r <id> with another",
  continue: "pith -c goes on with the last session, pith -r <id> with another",
  clear: "every pith begins a new session; pith -c goes on with the last one",
  new: "every pith begins a new session; pith -c goes on with the last one",
  chat: "pith alone begins a conversation",
  tui: "pith alone begins a conversation",
  compact: "pith does not shorten a conversation yet; pith alone begins a new one",
  rewind: "pith undo takes back what the last turn changed, pith -r <id>#<entry> goes on from an earlier place",
  checkpoint: "pith undo takes back what the last turn changed, pith changes shows it",
  review: "pith changes shows what was changed",
  run: 'pith -p "…" answers one prompt and exits',
  exec: 'pith -p "…" answers one prompt and exits',
  ask: 'pith -p "…" answers one prompt and exits',
  usage: "pith stats tells what was used and what it cost",
  cost: "pith stats tells what was used and what it cost",
  docs: "pith help <topic> has a page on everything",
  man: "pith help man prints the manual",
  completions: "pith completion bash|zsh|fish completes what is typed",
};
/** Nobody begins a sentence with these. */
const never: ReadonlySet<string> = new Set(["login", "logout", "mcp", "whoami", "setup-token"]);

/** What one does with a thing that a command is named after. */
const verbs: ReadonlySet<string> = new Set(
  "list ls show add remove rm set unset get delete new edit status info search export import help".split(" "),
);

/**
 * What to say to words that are no command and most likely were meant as one: one bare word, with or without options,
 * that is a command or nearly one, or that other agents know; or such a word and what to do with it. Nothing is said to
 * words for the model.
 */
export function meantFor(argv: readonly string[], commands: readonly string[]): string | undefined {
  const said = saidIn(argv);
  const [word = "", ...more] = said?.words ?? [];
  if (!said || !/^[a-z][a-z-]+$/i.test(word)) return undefined;
  const alone = more.length === 0;
  const verb = !alone && more.length <= 3 && verbs.has(more[0] ?? "");
  if (!alone && !verb && !never.has(word)) return undefined;
  const send = `To send it as a prompt: pith ${said.options === "some" ? "… " : ""}-- ${said.words.join(" ")}`;
  if ((alone || verb) && commands.includes(word))
    return `${word} is a command, and stands before its options: pith ${word} (pith ${word} --help). ${send}`;
  const other = Object.hasOwn(others, word.toLowerCase()) ? others[word.toLowerCase()] : undefined;
  // Of two or three letters everything is near.
  const near = nearest(
    word,
    commands.filter((name) => name.length > 3 && name !== "launch"),
  );
  const hint =
    (said.session === "new" && (alone || never.has(word)) && other) || (near && `did you mean pith ${near}?`);
  return hint && `there is no command "${word}": ${hint}. ${send}`.replace("?.", "?");
}

interface Said {
  words: readonly string[];
  options: "none" | "some";
  /** In a session that goes on, "continue" and "review" are things to say. */
  session: "new" | "old";
}

/** The words as a conversation would take them; undefined where they are plainly meant for it. */
function saidIn(argv: readonly string[]): Said | undefined {
  const [first = "", second] = argv;
  const parsed = parseArguments(launchFlags, argv);
  // An option that a conversation does not have may be one of the command.
  if (!parsed.ok) return second?.startsWith("-") ? { words: [first], options: "some", session: "new" } : undefined;
  const { flags, words, plain } = parsed.value;
  if (flags.print || flags.mode || plain.length > 0) return undefined;
  const old = flags.continue ?? flags.resume ?? flags.fork;
  return {
    words,
    options: words.length === argv.length ? "none" : "some",
    session: old === undefined ? "new" : "old",
  };
}
