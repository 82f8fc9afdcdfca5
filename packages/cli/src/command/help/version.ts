import { version as number } from "../../../../../package.json";
import { exit } from "../../io/interrupt.ts";
import { subcommand } from "../subcommand.ts";

export const version = subcommand({
  usage: "",
  about: "print the version",
  help: "screen",
  options: {},
  run(_, io) {
    io.out.write(`${number}\n`);
    return exit.finished;
  },
});
