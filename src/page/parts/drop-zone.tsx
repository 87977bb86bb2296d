import { useEffect } from 'preact/hooks';
import type { DroppedFile } from '../checker/protocol.ts';
import { linkTo } from '../state/address.ts';
import { areShown, checkDropped } from '../state/dropped.ts';
import { texts } from '../texts.ts';

/** Takes files that are dropped anywhere on the page, and says so while the views show them. */
export function DropZone() {
  useEffect(() => {
    const over = (event: DragEvent) => event.preventDefault();
    const drop = (event: DragEvent) => {
      event.preventDefault();
      if (!event.dataTransfer) return;
      location.hash = linkTo('try');
      void droppedFiles(event.dataTransfer).then(checkDropped);
    };
    document.addEventListener('dragover', over);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('drop', drop);
    };
  }, []);
  if (!areShown.value) return null;
  return (
    <aside class="instant fields" aria-label={texts.views.try} data-preview="true">
      <p role="status">{texts.previewOfDropped}</p>
      <button type="button" onClick={() => (areShown.value = false)}>
        {texts.previewEnd}
      </button>
    </aside>
  );
}

/** The files that were chosen in a file dialog. */
export function chosenFiles(files: Iterable<File>): Promise<DroppedFile[]> {
  return Promise.all(Array.from(files, file => readFile(file, file.webkitRelativePath || file.name)));
}

/** The files that were dropped, with those of folders by their paths. */
async function droppedFiles({ items }: DataTransfer): Promise<DroppedFile[]> {
  // The items are gone once this function waits.
  const found = Array.from(items, item => item.webkitGetAsEntry() ?? item.getAsFile());
  return (await Promise.all(found.map(filesOf))).flat();
}

async function filesOf(entry: FileSystemEntry | File | null): Promise<DroppedFile[]> {
  if (entry instanceof File) return [await readFile(entry, entry.name)];
  if (entry instanceof FileSystemFileEntry) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [await readFile(file, entry.fullPath)];
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

async function readFile(file: File, path: string): Promise<DroppedFile> {
  return { path: path.replace(/^\//, ''), bytes: await file.arrayBuffer() };
}
