import { join } from "node:path";
import { native } from "../native.ts";

export const omp = native({
  name: "omp",
  title: "oh-my-pi",
  priority: 95,
  folder: ".omp",
  home: ({ place: { userHome } }) => join(userHome, ".omp", "agent"),
});
