import { sharedValue } from '@/lib/process/shared-value';

type Quota = {
  /**
   * Takes `size` of `all` units for a user and returns a function that releases them. Returns null if too few units are
   * free, or if the user would then hold more than half of `all`.
   */
  take(userId: string, size: number, all: number): (() => void) | null;
};

function makeQuota(): Quota {
  const byUser = new Map<string, number>();
  let taken = 0;
  const change = (userId: string, by: number) => {
    taken += by;
    const mine = (byUser.get(userId) ?? 0) + by;
    if (mine > 0) byUser.set(userId, mine);
    else byUser.delete(userId);
  };
  return {
    take(userId, size, all) {
      const mine = byUser.get(userId) ?? 0;
      if (taken + size > all || mine + size > Math.floor(all / 2)) return null;
      change(userId, size);
      return () => change(userId, -size);
    },
  };
}

/** Returns this process's quota for one resource, shared by all routes. */
export function quotaOf(kind: string): Quota {
  return sharedValue(`quota.${kind}`, makeQuota);
}
