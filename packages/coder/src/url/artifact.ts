import { fail, ok } from "@pith/kit";
import type { Handler } from "./handler.ts";
import { nameIn } from "./url.ts";

/** The full text of an output that was cut. */
export const artifact: Handler = {
  resolve(url, { artifacts }) {
    const file = artifacts.resolve(nameIn(url));
    return file.ok ? ok({ file: file.value }) : fail("url", file.message);
  },
};
