/**
 * Headers for responses to the visitors of share links: search engines must not list the URL, and other sites must not
 * see it.
 */
export const visitorHeaders = { 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' };
