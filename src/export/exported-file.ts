/** The parameters in the order of a path, with the defaults that a path leaves out. A test compares them with the schemas. */
export const exportedParameters: Readonly<Record<string, string>> = {
  product_id: '',
  recommend_config_id: '',
  duration_id: '',
  type_id: '',
  include_durations: 'false',
  include: '',
  limit: '20',
  page: '1',
};

/**
 * Returns the file that `vitrine export` writes for an address of the API, below the same host and mount point. The
 * parameters become folders, in a fixed order and without defaults: `/api/news?page=2&type_id=3` is in
 * `/api/news/type_id=3/page=2.json`. For an address that is not exported, such as a search, this file does not exist.
 */
export function exportedFile(address: string): string {
  const [path = '', query] = address.split('?');
  const given = new URLSearchParams(query);
  const names = new Set([...Object.keys(exportedParameters), ...given.keys()]);
  const folders = Array.from(names, name => {
    const value = given.get(name) ?? '';
    if (value === '' || value === exportedParameters[name]) return '';
    // The order of the names in a list does not matter to the service.
    return `/${name}=${name === 'include' ? value.split(',').sort().join() : encodeURIComponent(value)}`;
  });
  return `${path}${folders.join('')}.json`;
}
