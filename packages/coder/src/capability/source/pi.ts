import { join } from "node:path";
import { native } from "../native.ts";

export const pi = native({
  name: "pi",
  title: "pi",
  priority: 90,
  folder: ".pi",
  home: ({ place: { userHome, env } }) => env.PI_CODING_AGENT_DIR || join(userHome, ".pi", "agent"),
});
