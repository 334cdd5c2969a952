import packageJson from '@/package.json' with { type: 'json' };

/** Version of Atelier, as in package.json. */
export const { version } = packageJson;
