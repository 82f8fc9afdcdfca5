import { nearest } from "@pith/kit";

/** Words of other agents, and what one types here instead. */
const others: Readonly<Record<string, string>> = {
  login: "pith auth add <vendor> keeps a key (pith help auth)",
  logout: "pith auth remove <number> forgets a key (pith help auth)",
  keys: "pith auth lists the keys that pith keeps",
  whoami: "pith auth lists the keys that pith keeps",
  "setup-token": "pith auth add <vendor> keeps a key (pith help auth)",
  setup: "pith doctor says what is missing, pith help models how to connect a model",
  init: "pith needs no set-up; pith doctor says what is missing, and AGENTS.md is what a project tells the model",
  onboard: "pith doctor says what is missing, pith help models how to connect a model",
  update: "pith does not update itself; pith help install tells how, pith version which one this is",
  upgrade: "pith does not update itself; pith help install tells how, pith version which one this is",
  install: "pith help install tells of installing, updating and leaving",
  uninstall: "pith help install tells how to remove pith, and what it has written where",
  mcp: "pith knows no MCP servers yet",
  plugin: "pith knows no plugins yet",
  plugins: "pith knows no plugins yet",
  agents: "pith knows no agents of other programs",
  settings: "pith config shows and changes settings",
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

/**
 * What to say to words that are no command and most likely were meant as one: one bare word that is nearly a command
 * or that other agents know. Nothing is said to words for the model.
 */
export function meantFor(argv: readonly string[], commands: readonly string[]): string | undefined {
  const [word = "", ...more] = argv;
  if (!/^[a-z][a-z-]+$/i.test(word)) return undefined;
  if (more.length > 0 && !never.has(word)) return undefined;
  const other = Object.hasOwn(others, word.toLowerCase()) ? others[word.toLowerCase()] : undefined;
  // Of two or three letters everything is near.
  const near = nearest(
    word,
    commands.filter((name) => name.length > 3 && name !== "launch"),
  );
  const hint = other ?? (near && `did you mean pith ${near}?`);
  return (
    hint &&
    `there is no command "${word}": ${hint}. To send it as a prompt: pith -- ${argv.join(" ")}`.replace("?.", "?")
  );
}
