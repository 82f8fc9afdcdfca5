import { expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import { withDotEnv } from "./dotenv.ts";

test("the environment comes before pith's own .env, and that before the user's", () => {
  using dir = scratch();
  dir.write({
    "user/.pith/.env": "A=pith\nB=pith\nexport C='a # b'\n# no\nD=\"x\\ny\"\nE=1 # one\nbroken\n",
    "user/.env": "A=user\nB=user\nF=user\n",
    "work/.env": "G=project\n",
  });
  const env = withDotEnv({ A: "given" }, { home: dir.at("user/.pith"), userHome: dir.at("user") });
  expect(env).toEqual({ A: "given", B: "pith", C: "a # b", D: "x\ny", E: "1", F: "user" });
});

test("variables of omp and pi stand for ours that are not set, and nothing is copied where there are none", () => {
  using dir = scratch();
  const at = { home: dir.at("h"), userHome: dir.at("u") };
  expect(withDotEnv({ OMP_SMOL_MODEL: "a", PI_SMOL_MODEL: "b", PI_NO_PTY: "1", PITH_NO_PTY: "" }, at)).toMatchObject({
    PITH_SMOL_MODEL: "a",
    PITH_NO_PTY: "",
  });
  expect(withDotEnv({ PI_RPC_EMIT_TITLE: "1" }, at)).toMatchObject({ PITH_RPC_EMIT_TITLE: "1" });
  expect(withDotEnv({ PI_CODING_AGENT_DIR: "/x" }, at)).toEqual({ PI_CODING_AGENT_DIR: "/x" });
  const plain = { PATH: "/bin" };
  expect(withDotEnv(plain, at)).toBe(plain);
});
