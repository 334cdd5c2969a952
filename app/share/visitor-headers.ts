/**
 * The headers of everything that visitors of a share link get: search engines must not list it, and other sites must
 * not see its URL.
 */
export const visitorHeaders = { 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' };
