import packageJson from '../../package.json' with { type: 'json' };

/** The version of Atelier, from package.json. */
export const { version } = packageJson;
