import { native } from "../native.ts";

export const pith = native({
  name: "pith",
  title: "pith",
  priority: 100,
  folder: ".pith",
  home: ({ place }) => place.home,
});
