import { existsSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Aside,
  artifactsOf,
  asideWith,
  type Channel,
  Conversation,
  type Draft,
  isOutcome,
  type Journal,
  type Outcome,
  openArtifacts,
  Points,
  Questions,
  Registry,
  refusal,
} from "@pith/agent";
import { realPath } from "@pith/kit";
import { CommandTable } from "../command/table.ts";
import { Briefing } from "../context/briefing.ts";
import { environmentNews } from "../context/news.ts";
import { Offering, offerOf } from "../context/offering.ts";
import { type MadePrompt, materialOf, type PromptPiece, systemPrompt } from "../context/prompt.ts";
import { openFiles } from "../files/files.ts";
import { Looking } from "../files/sight.ts";
import { openCommands } from "../job/commands.ts";
import { askForHost, confinement, openWall, ownTmp } from "../job/confine.ts";
import { sessionJobs } from "../job/kept.ts";
import { resumedShell } from "../job/resumed.ts";
import { Typed } from "../job/typed.ts";
import { spentUp } from "../model/budget.ts";
import type { Choice } from "../model/choice.ts";
import { roomOf } from "../model/room.ts";
import { type Inside, insideOf, mayLook } from "../policy/approval.ts";
import { bars, closedBy } from "../policy/closed.ts";
import { Grants } from "../policy/grant.ts";
import { ruleLayers } from "../policy/layer.ts";
import { isKey, passedNames } from "../policy/secret/secrets.ts";
import { Pending, sessionPending } from "../session/pending.ts";
import { modeDrafts, opening } from "../session/recorded.ts";
import { Snapshots } from "../snapshot/snapshot.ts";
import { builtinSchemes } from "../url/builtin.ts";
import { Conflicts } from "../url/conflicts.ts";
import { Router } from "../url/router.ts";
import type { Gauge } from "../usage/gauge.ts";
import { type Assembly, assemble } from "./assembly.ts";
import type { Hall } from "./hall.ts";
import type { House } from "./house.ts";
import type { Row } from "./part.ts";

export interface HallOptions {
  agent: string;
  scope: "main" | "child";
  journal: Journal;
  channel: Channel;
  choice: Choice;
  /** Of a child: those of who began it. */
  grants?: Grants;
}

export interface OpenHall extends AsyncDisposable {
  hall: Hall;
  conversation: Conversation;
  briefing: Briefing;
  /** The pieces of the system prompt, as it would be said now. */
  pieces(): readonly PromptPiece[];
  /** Asks beside the conversation; what that costs goes to `record`. */
  asideTo(record: (draft: Draft) => void): Aside;
  assembly: Assembly;
}

/** Opens a conversation: its owners of state, then the parts of the list, in their order. */
export function openHall(house: House, rows: readonly Row[], options: HallOptions): OpenHall {
  const { agent, scope, journal, channel, choice } = options;
  // What is not recorded has a place all the same for what was cut or noted: it goes with the conversation.
  const passing = join(tmpdir(), `pith-${crypto.randomUUID()}.jsonl`);
  const record = journal.file ?? passing;
  const { cwd, home, userHome, env, clock } = house;
  const { tree } = journal;
  const { settings } = choice;
  const folder = artifactsOf(record);
  const artifacts = openArtifacts(record);
  const points = new Points();
  const tools = new Registry();
  let offer = { profile: choice.profile, made: offerOf(settings, choice.wanted.tools) };
  const offering = new Offering(tools, () => {
    const { profile } = choice;
    if (profile !== offer.profile) offer = { profile, made: offerOf(settings, choice.wanted.tools) };
    return offer.made;
  });
  const kept = record === passing ? undefined : folder;
  const conflicts = new Conflicts(kept);
  const snapshots = new Snapshots(kept, (text) => house.secrets.mask(text) !== text);
  const questions = new Questions(channel, agent, house.asks ? "person" : "nobody");
  const passed = passedNames(settings.get("env.pass"));
  const tell = (text: string) => channel.tell({ level: "warn", text });
  const wall = openWall({
    cwd,
    roots: house.roots,
    home,
    userHome,
    folder,
    env,
    settings,
    ask: house.asks ? (host, port, signal) => askForHost(questions, host, port, signal) : undefined,
    tell,
  });
  const commands = openCommands({
    cwd,
    at: resumedShell(tree, cwd).at,
    home,
    env: house.shellEnv,
    settings,
    artifacts,
    masking: () => house.secrets.stream(),
    hides: (name, value) => !passed.has(name) && isKey(name, value),
    ground: house.ground,
    wall,
    clock,
    kept: sessionJobs(tree, (draft) => channel.record(draft)),
    shown: () => roomOf(choice.model, settings.get("bash.shownBytes")),
    tell,
  });
  const confined = confinement({
    wall,
    shell: commands.shell,
    settings,
    approval: () => choice.approval,
    stood: () => choice.assume("auto"),
    tell,
  });
  const told = new Set<string>();
  const skipped = (text: string) => {
    if (!told.has(text)) channel.tell({ level: "warn", text });
    told.add(text);
  };
  const terminal = terminalOf(env);
  const place = () => ({ cwd, userHome, roots: house.roots, platform: process.platform, terminal, now: clock.now() });
  const { capabilities } = house;
  const projects = [cwd, ...house.roots].map(realPath);
  const closed = closedBy(ruleLayers(settings), { roots: projects, home: realPath(userHome) });
  const forbids = (path: string) => closed?.verdict(path, realPath(path)) === "deny";
  let made: MadePrompt | undefined;
  const say = () => {
    const material = { capabilities, wanted: house.words, tools: () => offering.specs, skipped, forbids };
    made = systemPrompt({ place: place(), ...material });
    return made.blocks;
  };
  const words = [say];
  const mask = (text: string) => house.secrets.mask(text);
  const said = { words, made: () => made?.made, mask };
  const briefing = new Briefing({
    tree,
    channel,
    offering,
    dialect: choice.dialect,
    profile: () => choice.profile,
    ...said,
  });
  const own = insideOf({ cwd, roots: house.roots, home, folder });
  const inside: Inside = {
    ...own,
    // What commands see as `/tmp` is the session's.
    get scratch() {
      const tmp = confined.tmp();
      return tmp === undefined ? own.scratch : [...own.scratch, realPath(tmp)];
    },
  };
  const isOpen = (...paths: string[]) => closed === undefined || closed.verdict(...paths) === "allow";
  const looking = new Looking((real, path) => mayLook(choice.approval, inside, userHome, real) && isOpen(real, path));
  const grants =
    options.grants ??
    new Grants({
      file: join(home, "grants.yml"),
      project: inside.project[0] ?? cwd,
      tell: (text) => channel.tell({ level: "warn", text }),
    });
  const conversation = new Conversation({
    journal,
    channel,
    questions,
    points,
    tools,
    sight: looking.sight,
    model: () => choice.model,
    stream: house.models.stream,
    delivery: (when) => choice.queue[when],
    prompt: () => briefing.current(),
    told: () => briefing.told(),
    clock,
    opening: () => [
      ...opening(tree, choice.model, choice.effort),
      ...modeDrafts(tree, choice.approval === "plan" ? "plan" : "none"),
      ...briefing.opening(),
    ],
    news(drafts) {
      // What is told anew comes before the input, and leaves nothing to be told beside it.
      const anew = briefing.opening();
      const material = () => materialOf(capabilities, skipped, forbids);
      const sources = { tree, place: place(), model: choice.model, material };
      return [...anew, ...environmentNews(sources, [...drafts, ...anew])];
    },
    sync: settings.get("session.sync") === "never" ? "never" : "turn",
  });
  let gauge: Promise<Gauge> | undefined;
  const openGauge = async () => {
    const [{ Gauge }, counts] = await Promise.all([import("../usage/gauge.ts"), house.counting()]);
    return new Gauge({
      ...counts,
      model: () => choice.model,
      prompt: () => briefing.told(),
      shown: () => conversation.shown,
      now: () => clock.now(),
    });
  };
  const asideTo = (record: (draft: Draft) => void) =>
    asideWith({
      stream: house.models.stream,
      now: () => clock.now(),
      record,
      spentUp: () => spentUp(choice.wanted, channel.scene.spent),
    });
  const hall: Hall = {
    ...house,
    agent,
    header: journal.header,
    journal,
    tree,
    channel,
    questions,
    choice,
    settings,
    inside,
    grants,
    files: openFiles({
      cwd,
      userHome,
      roots: house.roots,
      tmp: (path) => ownTmp(path, confined.tmp(), [cwd, ...house.roots, folder]),
      cacheDir: `${home}/cache`,
      closed: inside.home,
      path: env.PATH,
      restore: (held, said) => house.secrets.restore(held, said),
      check: (path) => looking.check(path),
      bars: closed && ((path, from) => bars(closed, path, from)),
    }),
    artifacts,
    snapshots,
    conflicts,
    pending: new Pending(sessionPending(tree, (draft) => channel.record(draft))),
    commands,
    typed: new Typed({
      commands,
      channel,
      timeoutMs: settings.get("bash.timeout") * 1000,
      keys: house.keys,
      now: () => clock.now(),
      pictures: env.PITH_FORCE_IMAGE_PROTOCOL === "sixel" && env.PITH_ALLOW_SIXEL_PASSTHROUGH === "1" ? "show" : "drop",
    }),
    tools,
    offering,
    urls: new Router(
      { artifacts, sessionDir: folder, project: cwd, home, conflicts, capabilities },
      { ...builtinSchemes, handlers: {} },
    ),
    table: new CommandTable(),
    folder,
    confined: confined.on,
    confinement: confined,
    gauge: () => (gauge ??= openGauge()),
    aside: asideTo((draft) => void channel.record(draft)),
    send: (input, when) => conversation.send(input, when),
    refresh: () => house.settings.refresh(),
    onChange: (effects) => house.settings.onChange(effects),
    forbids,
    show: (path) => shown(tools, looking, path),
    call: (name, input, signal) =>
      conversation.call({ type: "toolCall", id: crypto.randomUUID(), name, arguments: input }, signal),
    standing: () => conversation.standing(),
    interrupt: (reason) => conversation.interrupt(reason),
    renew: (reason) => briefing.renew(reason),
  };
  const assembly = assemble(hall, { points, words }, rows, scope);
  return {
    hall,
    conversation,
    briefing,
    pieces() {
      if (!made) say();
      return made?.pieces ?? [];
    },
    asideTo,
    assembly,
    async [Symbol.asyncDispose]() {
      await conversation.interrupt("closed");
      await assembly[Symbol.asyncDispose]();
      await commands[Symbol.asyncDispose]();
      await snapshots.flush();
      await journal.close();
      if (record === passing && existsSync(folder)) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What the terminal and the desktop call themselves. */
const terminalOf = (env: House["env"]): string =>
  [
    [env.TERM_PROGRAM, env.TERM_PROGRAM_VERSION].filter(Boolean).join(" ") || env.TERMINAL_EMULATOR,
    env.XDG_CURRENT_DESKTOP,
  ]
    .filter(Boolean)
    .join(", ");

async function shown(tools: Registry, looking: Looking, path: string): Promise<Outcome> {
  const signal = new AbortController().signal;
  const read = tools.get("read");
  if (!read) return refusal("the tool read is switched off");
  const intent = await looking.sight(
    async () => read.prepare({ path }, { signal, without: [] }),
    async () => undefined,
  );
  return isOutcome(intent) ? intent : intent.run({ id: "", signal, progress: () => {} });
}
