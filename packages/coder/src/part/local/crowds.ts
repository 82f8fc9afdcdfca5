import { fill } from "@pith/kit";
import type { MakePart } from "../../hall/part.ts";
import notRun from "./not-run.md" with { type: "text" };

/** More calls in one reply than these are too many; more than those are not run. */
export const manyCalls = 8;
const most = 15;

/** A small model that sends a crowd of calls has not thought about their results: the last of them are not run. */
export const crowds: MakePart<"settings"> = ({ settings }) => ({
  name: "crowds",
  hooks: [
    {
      name: "crowds",
      call: ({ place: { at } }) =>
        at < most || !settings.get("local.guards")
          ? { do: "allow" }
          : { do: "deny", reason: fill(notRun, { most, place: at + 1 }).trim() },
    },
  ],
});
