import { linkTo } from '../state/address.ts';
import { type DroppedFile, dropped } from '../state/check.ts';
import { texts } from '../texts.ts';

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
  void droppedFiles(event.dataTransfer).then(files => (dropped.value = files));
});

/** Files can be dropped anywhere on the page. While they are dragged, it says so. */
export function DropZone() {
  return (
    <p class="dropping" aria-hidden="true">
      {texts.dropHere}
    </p>
  );
}

/** The files that were chosen in a file dialog. */
export function chosenFiles(files: Iterable<File>): DroppedFile[] {
  return Array.from(files, file => ({ path: file.webkitRelativePath || file.name, file }));
}

/** The files that were dropped, with those of folders by their paths. */
async function droppedFiles({ items }: DataTransfer): Promise<DroppedFile[]> {
  // The items are gone once this function waits.
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
