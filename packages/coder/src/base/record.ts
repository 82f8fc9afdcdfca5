import {
  type Artifacts,
  type Channel,
  type Header,
  type Journal,
  openArtifacts,
  Questions,
  type SessionTree,
} from "@pith/agent";
import type { MakePart } from "../hall/part.ts";
import type { Choice } from "../model/choice.ts";
import { SessionDirectory } from "../session/directory.ts";
import { Pending, sessionPending } from "../session/pending.ts";
import type { SettingView } from "../setting/setting.ts";

declare module "../hall/hall.ts" {
  interface Hall {
    header: Header;
    journal: Journal;
    tree: SessionTree;
    channel: Channel;
    /** The directory of the session's own files; it is another one after a handoff. */
    directory: SessionDirectory;
    folder: string;
    artifacts: Artifacts;
    /** Changes that were shown and wait to be applied or discarded. */
    pending: Pending;
    questions: Questions;
    choice: Choice;
    /** Settings read through the conversation's profile. */
    settings: SettingView;
  }
}

/** The record of the conversation, and the files of its session. */
export const sessionRecord: MakePart<
  "opened",
  "header" | "journal" | "tree" | "channel" | "directory" | "folder" | "artifacts" | "pending"
> = ({ opened: { journal, channel } }) => {
  const directory = new SessionDirectory(journal.file);
  const { tree } = journal;
  return {
    name: "session record",
    owns: {
      get header() {
        return journal.header;
      },
      journal,
      tree,
      channel,
      directory,
      get folder() {
        return directory.folder;
      },
      artifacts: openArtifacts(() => directory.file),
      pending: new Pending(sessionPending(tree, (draft) => channel.record(draft))),
    },
    async [Symbol.asyncDispose]() {
      await journal.close();
      directory[Symbol.dispose]();
    },
  };
};

export const questions: MakePart<"channel" | "agent" | "asks" | "opened", "questions"> = (hall) => ({
  name: "questions",
  owns: {
    questions: hall.opened.questions ?? new Questions(hall.channel, hall.agent, hall.asks ? "person" : "nobody"),
  },
});

export const choice: MakePart<"opened", "choice" | "settings"> = ({ opened: { choice } }) => ({
  name: "choice",
  owns: { choice, settings: choice.settings },
});
