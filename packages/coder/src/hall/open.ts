import { join } from "node:path";
import {
  type AskModel,
  type Channel,
  Conversation,
  createAskModel,
  type EntryDraft,
  type Journal,
  openArtifacts,
  Points,
  Questions,
  Registry,
} from "@pith/agent";
import { realPath } from "@pith/kit";
import { Ledgers } from "../check/ledger.ts";
import { Checks } from "../check/problem.ts";
import { CommandTable } from "../command/table.ts";
import { Compactor } from "../compact/compactor.ts";
import { Keeping } from "../compact/keeping.ts";
import { Briefing } from "../context/briefing.ts";
import { hashesOf, materialFrom } from "../context/material.ts";
import { environmentNews } from "../context/news.ts";
import { Offering, offerOf } from "../context/offering.ts";
import { type MadePrompt, type PromptPiece, systemPrompt } from "../context/prompt.ts";
import { terminalOf } from "../context/terminal.ts";
import { ownWords } from "../context/worded.ts";
import { openFiles } from "../files/files.ts";
import { Looking } from "../files/sight.ts";
import { Unsaved } from "../files/unsaved.ts";
import { spentUp } from "../model/budget.ts";
import type { Choice } from "../model/choice.ts";
import { roomOf } from "../model/room.ts";
import { type Inside, insideOf, isOwn, mayLook } from "../policy/approval.ts";
import { Grants } from "../policy/grant/grant.ts";
import { ruleLayers } from "../policy/rule/layer.ts";
import { isBarred, readRules } from "../policy/rule/path-rules.ts";
import { isKey, passedNames } from "../secret/secrets.ts";
import { Beside } from "../session/beside.ts";
import { Pending, sessionPending } from "../session/pending.ts";
import { modeDrafts, opening } from "../session/recorded.ts";
import { sessionJobs } from "../shell/job/session-jobs.ts";
import { resumedShell } from "../shell/resume.ts";
import { askForHost, commandSandbox, openWall, sandboxTmp } from "../shell/sandbox.ts";
import { openSessionShell } from "../shell/session-shell.ts";
import { UserCommands } from "../shell/user-commands.ts";
import { Snapshots } from "../snapshot/snapshot.ts";
import { builtinSchemes } from "../url/builtin.ts";
import { Conflicts } from "../url/conflicts.ts";
import { Router } from "../url/router.ts";
import { type Assembly, assemble } from "./assembly.ts";
import { beginChild } from "./child.ts";
import { lazyGauge } from "./gauge.ts";
import type { Hall } from "./hall.ts";
import type { House } from "./house.ts";
import type { Row } from "./part.ts";
import { shown } from "./show.ts";

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
  points: Points;
  briefing: Briefing;
  /** What has changed since the model was told of it, if these are written first; nothing is recorded of it. */
  news(drafts: readonly EntryDraft[]): readonly EntryDraft[];
  /** The pieces of the system prompt, as it would be said now. */
  pieces(): readonly PromptPiece[];
  /** Asks beside the conversation; what that costs goes to `record`. */
  asideTo(record: (draft: EntryDraft) => void): AskModel;
  assembly: Assembly;
}

/** Opens a conversation: its owners of state, then the parts of the list, in their order. */
export function openHall(house: House, rows: readonly Row[], options: HallOptions): OpenHall {
  const { agent, scope, journal, channel, choice } = options;
  const beside = new Beside(journal.file);
  const { cwd, home, userHome, env, clock } = house;
  const { tree } = journal;
  const { settings } = choice;
  const artifacts = openArtifacts(() => beside.file);
  const points = new Points();
  const tools = new Registry();
  let offer = { profile: choice.profile, made: offerOf(settings, choice.wanted.tools) };
  const offering = new Offering(tools, () => {
    const { profile } = choice;
    if (profile !== offer.profile) offer = { profile, made: offerOf(settings, choice.wanted.tools) };
    return offer.made;
  });
  const conflicts = new Conflicts(() => beside.kept);
  const snapshots = new Snapshots(
    beside.kept === undefined ? undefined : () => beside.folder,
    (text) => house.secrets.mask(text) !== text,
  );
  const questions = new Questions(channel, agent, house.asks ? "person" : "nobody");
  const passed = passedNames(settings.get("env.pass"));
  const tell = (text: string) => channel.notify({ level: "warn", text });
  const wall = openWall({
    cwd,
    roots: house.roots,
    home,
    userHome,
    folder: () => beside.folder,
    env,
    settings,
    ask: house.asks ? (host, port, signal) => askForHost(questions, host, port, signal) : undefined,
    tell,
  });
  const commands = openSessionShell({
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
    maxShown: () => roomOf(choice.model, settings.get("bash.shownBytes")),
    tell,
  });
  const confined = commandSandbox({
    wall,
    shell: commands.shell,
    settings,
    approval: () => choice.approval,
    stood: () => choice.assume("auto"),
    tell,
  });
  const told = new Set<string>();
  const skipped = (text: string) => {
    if (!told.has(text)) channel.notify({ level: "warn", text });
    told.add(text);
  };
  const terminal = terminalOf(env);
  const place = () => ({ cwd, userHome, roots: house.roots, platform: process.platform, terminal, now: clock.now() });
  const { capabilities } = house;
  const projects = [cwd, ...house.roots].map(realPath);
  const closed = readRules(ruleLayers(settings), { roots: projects, home: realPath(userHome) });
  const forbids = (path: string) => closed?.verdict(path, realPath(path)) === "deny";
  const material = materialFrom({ capabilities, skipped, forbids, revision: () => house.settings.revision });
  let made: MadePrompt | undefined;
  const say = () => {
    const own = () => ownWords(settings, offering.specs);
    const sources = { capabilities, wanted: house.words, own, tools: () => offering.specs, skipped, material };
    made = systemPrompt({ place: place(), ...sources });
    return made.blocks;
  };
  const words = [say];
  const mask = (text: string) => house.secrets.mask(text);
  const stands = () => made?.made === hashesOf(material());
  const said = { words, every: house.words?.every, made: () => made?.made, stands, mask };
  const briefing = new Briefing({
    tree,
    channel,
    offering,
    dialect: choice.dialect,
    profile: () => choice.profile,
    ...said,
  });
  const own = beside.each((folder) => insideOf({ cwd, roots: house.roots, home, folder }));
  const inside: Inside = {
    ...own(),
    get kept() {
      return own().kept;
    },
    // What commands see as `/tmp` is the session's.
    get scratch() {
      const tmp = confined.tmp();
      return tmp === undefined ? own().scratch : [...own().scratch, realPath(tmp)];
    },
  };
  const isOpen = (...paths: string[]) => closed === undefined || closed.verdict(...paths) === "allow";
  const looking = new Looking((real, path) => mayLook(choice.approval, inside, userHome, real) && isOpen(real, path));
  const { editor } = house;
  const unsaved = editor && new Unsaved(editor, (real) => isOwn(real, inside) && isOpen(real));
  const grants =
    options.grants ??
    new Grants({
      file: join(home, "grants.yml"),
      project: inside.project[0] ?? cwd,
      tell: (text) => channel.notify({ level: "warn", text }),
    });
  const news = (drafts: readonly EntryDraft[]) =>
    environmentNews({ tree, place: place(), model: choice.model, material }, drafts);
  const conversation = new Conversation({
    journal,
    channel,
    questions,
    points,
    tools,
    readGuard: unsaved ? (prepare, judge) => looking.sight(() => unsaved.during(prepare), judge) : looking.sight,
    model: () => choice.model,
    stream: house.models.stream,
    delivery: (when) => choice.queue[when],
    prompt: () => briefing.current(),
    previewPrompt: () => briefing.told(),
    clock,
    opening: () => [
      ...opening(tree, choice.model, choice.effort),
      ...modeDrafts(tree, choice.approval === "plan" ? "plan" : "none"),
      ...briefing.opening(),
    ],
    updates(drafts) {
      // What is told anew comes before the input, and leaves nothing to be told beside it.
      const anew = briefing.opening();
      return [...anew, ...news([...drafts, ...anew])];
    },
    sync: settings.get("session.sync") === "never" ? "never" : "turn",
  });
  const asideTo = (record: (draft: EntryDraft) => void) =>
    createAskModel({
      stream: house.models.stream,
      now: () => clock.now(),
      record,
      spentUp: () => spentUp(choice.wanted, channel.scene.spent),
    });
  const gauge = lazyGauge(house, { choice, briefing, conversation });
  const keeping = new Keeping();
  const aside = asideTo((draft) => void channel.record(draft));
  const standing = () => conversation.nextRequest();
  const compacting = { ...house, settings, choice, journal, tree, channel, points, keeping, gauge, aside, standing };
  const hall: Hall = {
    ...house,
    agent,
    get header() {
      return journal.header;
    },
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
      tmp: (path) => sandboxTmp(path, confined.tmp(), [cwd, ...house.roots, beside.folder]),
      cacheDir: `${home}/cache`,
      closed: inside.home,
      path: env.PATH,
      restore: (held, said) => house.secrets.restore(held, said),
      check: (path) => looking.check(path),
      bars: closed && ((path, from) => isBarred(closed, path, from)),
      unsaved,
    }),
    unsaved,
    artifacts,
    snapshots,
    conflicts,
    pending: new Pending(sessionPending(tree, (draft) => channel.record(draft))),
    shell: commands,
    typed: new UserCommands({
      commands,
      channel,
      timeoutMs: settings.get("bash.timeout") * 1000,
      keys: house.keys,
      now: () => clock.now(),
      origin: async (command) =>
        (await import("../policy/way.ts")).typedOrigin(command, { cwd, userHome, inside, shell: commands.shell, env }),
      pictures: env.PITH_FORCE_IMAGE_PROTOCOL === "sixel" && env.PITH_ALLOW_SIXEL_PASSTHROUGH === "1" ? "show" : "drop",
      seen: house.face && env.PITH_NO_PTY !== "1" ? { face: house.face, env } : undefined,
    }),
    tools,
    offering,
    urls: new Router(
      {
        artifacts,
        get sessionDir() {
          return beside.folder;
        },
        project: cwd,
        home,
        conflicts,
        capabilities,
      },
      { ...builtinSchemes, handlers: {} },
    ),
    commands: new CommandTable(),
    get folder() {
      return beside.folder;
    },
    confined: confined.on,
    sandbox: confined,
    gauge,
    keeping,
    compactor: new Compactor({
      ...compacting,
      anew: () => briefing.anew(),
      // A task stays in the record that its parent names.
      handOver: scope === "main" ? (document) => hall.handOver(document) : undefined,
    }),
    between: (work) => conversation.between(work),
    aside,
    send: (input, when) => conversation.send(input, when),
    refresh: () => house.settings.refresh(),
    onChange: (effects) => house.settings.onChange(effects),
    forbids,
    show: (path) => shown(tools, looking, path),
    call: (name, input, signal, hear) =>
      conversation.call({ type: "toolCall", id: crypto.randomUUID(), name, arguments: input }, signal, hear),
    checks: new Checks(),
    ledgers: new Ledgers(tree),
    standing,
    handOver: async (document) => {
      const { handOver } = await import("../compact/handover.ts");
      const own = { journal, conversation, beside, snapshots, keeping: hall.keeping, tell };
      return handOver({ ...house, ...own, sync: settings.get("session.sync") }, document);
    },
    interrupt: (reason) => conversation.interrupt(reason),
    begin: (child) => beginChild(house, child, (own, opened) => openHall(own, rows, { ...opened, grants })),
    renew: (reason) => briefing.renew(reason),
  };
  const assembly = assemble(hall, { points, words }, rows, scope);
  return {
    hall,
    conversation,
    points,
    briefing,
    news,
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
      beside[Symbol.dispose]();
    },
  };
}
