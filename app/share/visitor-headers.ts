/**
 * The headers of every response to visitors of a share link: search engines must not list the URL, and other sites must
 * not see it.
 */
export const visitorHeaders = { 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' };
