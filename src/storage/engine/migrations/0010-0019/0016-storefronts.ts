/**
 * The template of product pages. A storefront that nobody has named is NULL, so that an import may name it;
 * it used to be 'other', which could also be an operator's choice.
 */
export const storefronts = `
ALTER TABLE shops ADD COLUMN product_url_template TEXT;
ALTER TABLE shops RENAME COLUMN storefront TO former_storefront;
ALTER TABLE shops ADD COLUMN storefront TEXT CHECK (storefront IN ('shopify', 'woo', 'other'));
UPDATE shops SET storefront = nullif(former_storefront, 'other');
ALTER TABLE shops DROP COLUMN former_storefront;
`;
