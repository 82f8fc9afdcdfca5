import type { Leaving } from "./action/escape.ts";
import { spokenOf } from "./composer/spoken.ts";
import type { ScreenContext } from "./context.ts";
import { openWhole } from "./dialog/pager.ts";
import type { Submitter } from "./submit.ts";
import type { ConversationView } from "./transcript/transcript.ts";

interface Owned {
  context: ScreenContext;
  talk: Submitter;
  story: ConversationView;
  leaving: Leaving;
  suspend(): void;
}

/** What only the face can do, by the names of its actions. */
export function ownDeeds({ context, talk, story, leaving, suspend }: Owned): Readonly<Record<string, () => unknown>> {
  return {
    "app.interrupt": () => leaving.escape(context),
    "app.clear": () => leaving.clear(context),
    "app.exit": () => void leaving.exit(context),
    "app.suspend": suspend,
    "app.message.followUp"() {
      const { text, attachments } = context.composer.take();
      context.composer.clear();
      talk.enter({ ...spokenOf(text, attachments), when: "after" });
    },
    "app.editor.external": async () => (await import("./composer/external.ts")).editElsewhere(context),
    "app.clipboard.pasteImage": async () => (await import("./composer/paste.ts")).pastePicture(context),
    "app.tools.expand"() {
      const more = story.expand();
      if (more === "expanded") context.screen.request();
      else if (more) void context.open(openWhole(context.theme, more));
      else context.say("info", "There is nothing more to show.");
    },
    "app.tools.expandAll"() {
      if (context.can.multiplexer) return context.act("app.transcript");
      story.ink.whole = !story.ink.whole;
      context.screen.replace();
    },
    "app.thinking.toggle"() {
      story.ink.thinking = story.ink.thinking === "brief" ? "whole" : "brief";
      if (context.can.multiplexer)
        context.say(
          "info",
          `What the model thinks is shown ${story.ink.thinking === "brief" ? "in brief" : "whole"} from here on.`,
        );
      else context.screen.replace();
    },
  };
}
