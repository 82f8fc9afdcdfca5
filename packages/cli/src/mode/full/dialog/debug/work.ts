import { messageOf, plainText } from "@pith/kit";
import { openOutside } from "../../../../io/opener.ts";
import { flameSvg } from "../../../../report/flame.ts";
import { watchTime } from "../../../../report/profile.ts";
import { keepFile } from "../../../../report/report.ts";
import type { Dialog, Seat } from "../../context.ts";
import { watching } from "./watching.ts";

const workMs = 30_000;

/** Half a minute of pith's own work as a picture, or less when somebody has seen enough. */
export async function workDialog(seat: Seat, close: () => void): Promise<Dialog> {
  const watch = await watchTime();
  const began = seat.timers.now();
  const cancel = seat.timers.after(workMs, close);
  return watching(seat, close, { title: "work", hint: "Enter or Esc ends it sooner", seconds: 30 }, async () => {
    cancel();
    try {
      const profile = await watch.stop();
      const seconds = Math.round((seat.timers.now() - began) / 100) / 10;
      const picture = flameSvg(profile, `where pith's time went in ${seconds} s`);
      const file = keepFile("pith-profile-", `work-profile-${seat.io.clock.now()}.svg`, picture);
      const done = await openOutside(file, seat.io.given ?? seat.io.env, process.platform);
      seat.say(
        "info",
        `Where its time went is in ${file}.${done === "opened" ? " It is open beside this terminal." : ""}`,
      );
    } catch (error) {
      seat.say("error", plainText(messageOf(error)));
    }
  });
}
