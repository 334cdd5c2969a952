import mantine from 'postcss-preset-mantine';

/**
 * Removes the WOFF copy of each font, because all browsers that run Atelier read WOFF2. Finding and copying a thousand
 * more files would take a tenth of the build time.
 */
const onlyWoff2 = {
  postcssPlugin: 'only-woff2',
  Declaration: {
    src(declaration) {
      const value = declaration.value.replace(/,\s*url\([^)]*\.woff\)\s*format\(['"]woff['"]\)/g, '');
      if (value !== declaration.value) declaration.value = value;
    },
  },
};

/** The preset enables Mantine's CSS mixins and functions, such as `light-dark()`. */
export default {
  plugins: [onlyWoff2, mantine()],
};
