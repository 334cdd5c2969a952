/**
 * Headers for responses to the visitors of share links. They keep search engines from listing the URL, and other sites
 * from seeing it.
 */
export const visitorHeaders = { 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' };
