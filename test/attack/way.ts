// Loaded before tests that run once more by another way of holding folders: `bun test --preload ./test/attack/way.ts`.
import { chooseWay, wayHere } from "../../packages/host/src/index.ts";

const name = process.env.PITH_FS ?? "";
const wrong = chooseWay(name);
if (wrong !== undefined) throw new Error(wrong);
const { way, why } = wayHere();
if (way.name !== name) throw new Error(`there is no way ${name} here: ${why}`);
