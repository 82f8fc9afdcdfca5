import type { Leaving } from "./action/escape.ts";
import { spokenOf } from "./composer/spoken.ts";
import type { Seat } from "./context.ts";
import { openWhole } from "./dialog/pager.ts";
import type { Talk } from "./submit.ts";
import type { Story } from "./transcript/transcript.ts";

interface Owned {
  seat: Seat;
  talk: Talk;
  story: Story;
  leaving: Leaving;
  suspend(): void;
}

/** What only the face can do, by the names of its actions. */
export function ownDeeds({ seat, talk, story, leaving, suspend }: Owned): Readonly<Record<string, () => unknown>> {
  return {
    "app.interrupt": () => leaving.escape(seat),
    "app.clear": () => leaving.clear(seat),
    "app.exit": () => void leaving.exit(seat),
    "app.suspend": suspend,
    "app.message.followUp"() {
      const { text, attachments } = seat.composer.take();
      seat.composer.clear();
      talk.enter({ ...spokenOf(text, attachments), when: "after" });
    },
    "app.editor.external": async () => (await import("./composer/external.ts")).editElsewhere(seat),
    "app.clipboard.pasteImage": async () => (await import("./composer/paste.ts")).pastePicture(seat),
    "app.tools.expand"() {
      const more = story.expand();
      if (more === "expanded") seat.screen.request();
      else if (more) void seat.open(openWhole(seat.theme, more));
      else seat.say("info", "There is nothing more to show.");
    },
    "app.tools.expandAll"() {
      if (seat.can.multiplexer) return seat.act("app.transcript");
      story.ink.whole = !story.ink.whole;
      seat.screen.replace();
    },
    "app.thinking.toggle"() {
      story.ink.thinking = story.ink.thinking === "brief" ? "whole" : "brief";
      if (seat.can.multiplexer)
        seat.say(
          "info",
          `What the model thinks is shown ${story.ink.thinking === "brief" ? "in brief" : "whole"} from here on.`,
        );
      else seat.screen.replace();
    },
  };
}
