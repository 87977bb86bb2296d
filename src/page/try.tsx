import { effect, signal } from '@preact/signals';
import type { CheckAnswer } from '../contract/history.ts';
import { ChangeList } from './parts/changes.tsx';
import { Problems } from './parts/problems.tsx';
import { TokenForm } from './parts/token-form.tsx';
import { Sentences, View } from './parts/view.tsx';
import { linkTo } from './state/address.ts';
import { Refusal, request } from './state/ask.ts';
import { hasToken } from './state/token.ts';

/** A file that was dropped or chosen, by its name or its path in a folder. */
interface DroppedFile {
  path: string;
  file: File;
}

/** The result for the last files: an answer, a fault, or neither while the service reads them. */
type Check = { answer?: CheckAnswer; fault?: string };

const NOT_CHECKED =
  'The files have not arrived, or the service has not answered. For slow lines, your administrator raises CLIENT_TIMEOUT_MS.';

const check = signal<Check | undefined>();
/** The files of the last check; it waits for the token. */
const dropped = signal<readonly DroppedFile[]>([]);

effect(() => {
  if (dropped.value.length > 0 && hasToken.value) void run(dropped.value);
});

/** Shows nothing of an earlier drop. */
async function run(files: readonly DroppedFile[]): Promise<void> {
  check.value = {};
  const isLatest = () => dropped.value === files;
  try {
    const answer = await sendFiles(files, isLatest);
    if (isLatest()) check.value = { answer };
  } catch (error) {
    if (isLatest()) check.value = { fault: error instanceof Refusal ? error.message : NOT_CHECKED };
  }
}

/** The time limit of a check, which reads a whole set, in milliseconds. */
const CHECK_MS = 600_000;
/** The pause before a retry, in milliseconds: the service runs one check at a time, and none while it reads a save. */
const RETRY_MS = 1_000;

/** Checks what would happen if these files were saved, while anybody `isWaiting`. @throws Refusal. */
async function sendFiles(files: readonly DroppedFile[], isWaiting: () => boolean): Promise<CheckAnswer> {
  const body = new FormData();
  for (const { path, file } of files) body.append('files', file, path);
  for (;;) {
    try {
      return await request('check', { method: 'POST', body }, CHECK_MS);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'CHECK_BUSY' || !isWaiting()) throw error;
      await new Promise(resolve => setTimeout(resolve, RETRY_MS));
    }
  }
}

// Files are accepted anywhere on the page, which says so while they are dragged.
const { dataset } = document.documentElement;

document.addEventListener('dragover', event => {
  event.preventDefault();
  dataset.dragging = '';
});
document.addEventListener('dragleave', ({ relatedTarget }) => {
  if (!relatedTarget) delete dataset.dragging;
});
document.addEventListener('drop', event => {
  event.preventDefault();
  delete dataset.dragging;
  if (!event.dataTransfer) return;
  location.hash = linkTo('try');
  const missing = () => {
    dropped.value = [];
    check.value = { fault: NOT_CHECKED };
  };
  void droppedFiles(event.dataTransfer).then(files => (dropped.value = files), missing);
});

function chosenFiles(files: Iterable<File>): DroppedFile[] {
  return Array.from(files, file => ({ path: file.webkitRelativePath || file.name, file }));
}

/** Returns the dropped files, and those of dropped folders by their paths. */
async function droppedFiles({ items }: DataTransfer): Promise<DroppedFile[]> {
  // The items are gone after the first await.
  const found = Array.from(items, item => item.webkitGetAsEntry() ?? item.getAsFile());
  return (await Promise.all(found.map(filesOf))).flat();
}

async function filesOf(entry: FileSystemEntry | File | null): Promise<DroppedFile[]> {
  if (entry instanceof File) return [{ path: entry.name, file: entry }];
  if (entry instanceof FileSystemFileEntry) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ path: entry.fullPath.slice(1), file }];
  }
  if (!(entry instanceof FileSystemDirectoryEntry)) return [];
  const reader = entry.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    // Each call returns at most a hundred entries.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) break;
    found.push(...some);
  }
  return (await Promise.all(found.map(filesOf))).flat();
}

export function Try() {
  return (
    <View name="try">
      <p>
        Drop files onto this page, or choose them: the service says what would happen if you saved them, and
        stores nothing.
      </p>
      <p class="drop">
        <label for="files">Files to check</label>
        <input
          id="files"
          type="file"
          multiple
          accept=".json,.csv,.md,.markdown,.xlsx,.ods"
          onChange={({ currentTarget: { files } }) => (dropped.value = chosenFiles(files ?? []))}
        />
      </p>
      {!hasToken.value && (
        <TokenForm why="The service checks files for people with the token of your administrator (PREVIEW_TOKEN). This browser forgets it when you close it." />
      )}
      <div class="result" aria-live="polite">
        {hasToken.value && check.value && <Result {...check.value} />}
      </div>
    </View>
  );
}

function Result({ answer, fault }: Check) {
  if (fault !== undefined) return <p class="error">{fault}</p>;
  if (!answer) return <p role="status">The service is reading the files.</p>;
  const { outcome, verdict, reasons, changes } = answer;
  const isProblem = (text: string) => answer.problems.some(({ message }) => message === text);
  const notRead = answer.not_read.filter(({ message }) => !isProblem(message));
  const names = dropped.value.map(({ path }) => path);
  return (
    <>
      <div class="outcome" data-outcome={outcome === 'pinned' ? 'held' : outcome}>
        <h3>{verdict}</h3>
        <p>Checked: {names.slice(0, 10).join(', ')}</p>
        <Sentences
          all={[...reasons, ...notRead.map(({ file, message }) => ({ message: `${file}: ${message}` }))]}
        />
      </div>
      {answer.problems.length > 0 && <Problems {...answer} />}
      {changes && changes.pagination.total > 0 && (
        <section aria-labelledby="would-change">
          <h2 id="would-change">What would change for visitors</h2>
          <ChangeList {...changes} />
        </section>
      )}
    </>
  );
}
