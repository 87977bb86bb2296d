/** Whether the Redis with this reply to INFO is a node of a cluster. */
export function isClusterNode(info: string): boolean {
  return fieldOf(info, 'cluster_enabled') === '1';
}

/** How the Redis with this reply to INFO can lose counts, and the commands that prevent it. */
export function warningsAbout(info: string): string[] {
  const policy = fieldOf(info, 'maxmemory_policy');
  return [
    // The other policies evict keys with a time to live only.
    ...(policy?.startsWith('allkeys-')
      ? [
          `Redis evicts read counts when its memory is full (${policy}). ${run('maxmemory-policy noeviction')}`,
        ]
      : []),
    ...(fieldOf(info, 'aof_enabled') === '0'
      ? [`Redis loses the counts since its last snapshot if it crashes. ${run('appendonly yes')}`]
      : []),
  ];
}

function run(setting: string): string {
  return `Run: CONFIG SET ${setting}, then CONFIG REWRITE`;
}

function fieldOf(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
}
