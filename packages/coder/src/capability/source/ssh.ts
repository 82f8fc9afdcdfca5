import { each } from "../look.ts";
import { sshConfig, sshHosts } from "../read/things.ts";
import type { Source } from "../registry.ts";

export const ssh: Source = {
  name: "ssh",
  title: "ssh",
  priority: 5,
  finds: {
    ssh: (look) => [
      ...each(
        [
          ...look.nearest(".pith", "ssh.json"),
          ...look.nearest(".omp", "ssh.json"),
          ...look.nearest("ssh.json"),
          ...look.nearest(".ssh.json"),
          ...look.user(look.place.home, "ssh.json"),
          ...look.athome(".omp", "agent", "ssh.json"),
        ],
        sshHosts,
      ),
      ...each(look.athome(".ssh", "config"), sshConfig),
    ],
  },
};
