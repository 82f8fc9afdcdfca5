import type { EntryDraft } from "@pith/agent";
import { Briefing } from "../context/briefing.ts";
import { warnOnce } from "../context/files.ts";
import { hashesOf, materialFrom } from "../context/material.ts";
import { environmentNews } from "../context/news.ts";
import { type MadePrompt, type PromptPiece, systemPrompt } from "../context/prompt.ts";
import { surroundings } from "../context/surroundings.ts";
import { terminalOf } from "../context/terminal.ts";
import { ownWords } from "../context/worded.ts";
import type { MakePart } from "../hall/part.ts";

declare module "../hall/hall.ts" {
  interface Hall {
    /** The system prompt and tools that the model was told of. */
    briefing: Briefing;
    /** Tells the model its instructions again from the next step on. */
    renew(reason: string): void;
    /** Drafts that tell the model what changed since its prompt, if `drafts` are written first. */
    news(drafts: readonly EntryDraft[]): readonly EntryDraft[];
    /** The blocks of the system prompt as it would be sent now. */
    pieces(): readonly PromptPiece[];
  }
}

type Surroundings = "cwd" | "userHome" | "env" | "clock" | "roots" | "store" | "capabilities" | "secrets" | "words";
type Needs =
  | Surroundings
  | "tree"
  | "channel"
  | "choice"
  | "settings"
  | "forbids"
  | "offering"
  | "promptBlocks"
  | "asks"
  | "sandbox"
  | "scope";

/** The system prompt: made of configuration and of the blocks that parts bring. */
export const sessionPrompt: MakePart<Needs, "briefing" | "renew" | "news" | "pieces"> = (hall) => {
  const { cwd, userHome, clock, roots, capabilities, tree, channel, choice, settings, offering, forbids } = hall;
  const skipped = warnOnce(channel);
  const terminal = terminalOf(hall.env);
  // Later changes of the mode are told when they are made.
  let approval: string | undefined;
  const place = () => {
    const { commands, approval: now } = surroundings(hall);
    approval ??= now;
    return { cwd, userHome, roots, platform: process.platform, terminal, commands, approval, now: clock.now() };
  };
  const material = materialFrom({ capabilities, skipped, forbids, revision: () => hall.store.revision });
  let made: MadePrompt | undefined;
  const say = () => {
    const own = () => ownWords(settings, offering.specs);
    const sources = { capabilities, wanted: hall.words, own, tools: () => offering.specs, skipped, material };
    made = systemPrompt({ place: place(), ...sources });
    return made.blocks;
  };
  hall.promptBlocks.push(say);
  const briefing = new Briefing({
    tree,
    channel,
    offering,
    dialect: choice.dialect,
    profile: () => choice.profile,
    words: hall.promptBlocks,
    every: hall.words?.every,
    made: () => made?.made,
    isCurrent: () => made?.made === hashesOf(material()),
    mask: (text) => hall.secrets.mask(text),
  });
  return {
    name: "session prompt",
    owns: {
      briefing,
      renew: (reason) => briefing.renew(reason),
      news: (drafts) => environmentNews({ tree, place: place(), model: choice.model, material }, drafts),
      pieces() {
        if (!made) say();
        return made?.pieces ?? [];
      },
    },
  };
};
