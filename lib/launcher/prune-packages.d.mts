export function isUnused(path: string): boolean;
