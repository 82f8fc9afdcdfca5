import type {
  Artifacts,
  AskModel,
  Channel,
  Conversation,
  Header,
  Journal,
  Outcome,
  Points,
  Questions,
  Registry,
  SessionTree,
  UserInput,
} from "@pith/agent";
import type { Result } from "@pith/kit";
import type { Request } from "@pith/llm";
import type { Ledgers } from "../check/ledger.ts";
import type { Checks } from "../check/problem.ts";
import type { Call } from "../check/run.ts";
import type { CommandTable } from "../command/table.ts";
import type { Compactor } from "../compact/compactor.ts";
import type { Keeping } from "../compact/keeping.ts";
import type { Offering } from "../context/offering.ts";
import type { Files } from "../files/files.ts";
import type { Unsaved } from "../files/unsaved.ts";
import type { Choice, Wanted } from "../model/choice.ts";
import type { Inside } from "../policy/approval.ts";
import type { Grants } from "../policy/grant/grant.ts";
import type { Pending } from "../session/pending.ts";
import type { Settings, SettingView } from "../setting/setting.ts";
import type { CommandSandbox } from "../shell/sandbox.ts";
import type { SessionShell } from "../shell/session-shell.ts";
import type { UserCommands } from "../shell/user-commands.ts";
import type { Snapshots } from "../snapshot/snapshot.ts";
import type { Conflicts } from "../url/conflicts.ts";
import type { Router } from "../url/router.ts";
import type { Gauge } from "../usage/gauge.ts";
import type { House } from "./house.ts";

/** What one conversation consists of: the main one, or a sub-agent's. Every owner of state has its place here. */
export interface Hall extends Omit<House, "settings" | typeof Symbol.asyncDispose> {
  /** The name of the agent that speaks here. */
  agent: string;
  header: Header;
  journal: Journal;
  tree: SessionTree;
  channel: Channel;
  questions: Questions;
  choice: Choice;
  /** Read through the choice: the profile is the conversation's. */
  settings: SettingView;
  /** The folders that count as the conversation's own. */
  inside: Inside;
  /** What people have said yes to for longer than once. */
  grants: Grants;
  files: Files;
  /** What an editor shows of them and has not saved, where there is one. */
  unsaved: Unsaved | undefined;
  artifacts: Artifacts;
  snapshots: Snapshots;
  conflicts: Conflicts;
  pending: Pending;
  /** The shell and what runs in the background. */
  shell: SessionShell;
  /** What people run in the shell themselves. */
  typed: UserCommands;
  tools: Registry;
  /** Which of them the model is told of. */
  offering: Offering;
  urls: Router;
  commands: CommandTable;
  /** The folder beside the record; when nothing is recorded, one that goes with the conversation. */
  folder: string;
  /** Whether the commands of this conversation run behind a wall. */
  confined(): boolean;
  sandbox: CommandSandbox;
  /** How long the next request is; loaded when it is first needed. */
  gauge(): Promise<Gauge>;
  /** What all parts keep through a compaction. */
  keeping: Keeping;
  /** When the conversation is too long, and what is done about it. */
  compactor: Compactor;
  /** Does something between two turns: what is said meanwhile waits. Undefined while one runs. */
  between: Conversation["between"];
  /** Asks a model beside the conversation; what that costs is recorded, and held by the budget of the run. */
  aside: AskModel;
  /** Admits input: `now` begins a turn when idle and steers when busy. */
  send(input: UserInput, when?: "now" | "steer" | "after"): Promise<void>;
  /** What the model would be asked now: the same prefix as the next request of the conversation. */
  standing(): Promise<Request>;
  /** Looks at the files of settings again, and tells what is another value now. */
  refresh: Settings["refresh"];
  /** What is done when a setting has changed. */
  onChange: Settings["onChange"];
  /** Whether a rule closes a path to everybody. */
  forbids(path: string): boolean;
  /** What the read tool shows of a path that a person named: they may look at anything of theirs. */
  show(path: string): Promise<Outcome>;
  /** For what a person's words bring along; told elsewhere where `hear` is given. */
  call: Call;
  /** Who tells what is wrong in files that were changed. */
  checks: Checks;
  /** What was called in a turn, and what came of it. */
  ledgers: Ledgers;
  /** Opens a conversation beside this one, by the same list of parts. Nobody can be asked there. */
  begin(child: ChildOptions): Promise<Result<Child, "model">>;
  /** Tells the model its instructions anew from the next step on. */
  renew(reason: string): void;
  /** Goes on in a new session that begins with a document. */
  handOver(document: string): Promise<Result<Header, "unable">>;
  /** Ends the turn that runs. Who runs in it does not wait for that. */
  interrupt(reason: string): Promise<void>;
}

/** A conversation that another one has begun. */
export interface Child extends AsyncDisposable {
  hall: Hall;
  conversation: Conversation;
  points: Points;
}

export interface ChildOptions {
  agent: string;
  journal: Journal;
  wanted: Wanted;
  /** What its model is told in the place of our own words; what is said of the project follows. */
  words(settings: SettingView): string;
}
