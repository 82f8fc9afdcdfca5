import { messageOf, plainText } from "@pith/kit";
import { openOutside } from "../../../../io/opener.ts";
import { flameSvg } from "../../../../report/flame.ts";
import { watchTime } from "../../../../report/profile.ts";
import { keepFile } from "../../../../report/report.ts";
import type { Dialog, ScreenContext } from "../../context.ts";
import { watching } from "./watching.ts";

const workMs = 30_000;

/** Half a minute of pith's own work as a picture, or less when somebody has seen enough. */
export async function workDialog(context: ScreenContext, close: () => void): Promise<Dialog> {
  const watch = await watchTime();
  const began = context.timers.now();
  const cancel = context.timers.after(workMs, close);
  return watching(context, close, { title: "work", hint: "Enter or Esc ends it sooner", seconds: 30 }, async () => {
    cancel();
    try {
      const profile = await watch.stop();
      const seconds = Math.round((context.timers.now() - began) / 100) / 10;
      const picture = flameSvg(profile, `where pith's time went in ${seconds} s`);
      const file = keepFile("pith-profile-", `work-profile-${context.io.clock.now()}.svg`, picture);
      const done = await openOutside(file, context.io.given ?? context.io.env, process.platform);
      context.say(
        "info",
        `Where its time went is in ${file}.${done === "opened" ? " It is open beside this terminal." : ""}`,
      );
    } catch (error) {
      context.say("error", plainText(messageOf(error)));
    }
  });
}
