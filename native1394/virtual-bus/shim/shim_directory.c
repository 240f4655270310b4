/* Lists /dev: the real entries, then fw0, fw1, ... */
#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "shim.h"

#define DEVICE_INODE 0x13940000ul

/* An open listing of /dev. */
struct listing {
    struct listing *next;
    DIR *directory;
    unsigned int count;    /* number of device files */
    unsigned int position; /* the next entry to return */
    struct dirent entry;
};

static struct listing *listings;
static _Atomic(unsigned int) listing_count;
static pthread_mutex_t listings_lock = PTHREAD_MUTEX_INITIALIZER;

static void listing_add(DIR *directory)
{
    struct listing *listing = calloc(1, sizeof *listing);
    if (listing == NULL)
        return;
    int error = errno;
    listing->directory = directory;
    listing->count = shim_device_count();
    pthread_mutex_lock(&listings_lock);
    listing->next = listings;
    listings = listing;
    atomic_fetch_add(&listing_count, 1);
    pthread_mutex_unlock(&listings_lock);
    errno = error;
}

static struct listing *listing_find(DIR *directory)
{
    if (atomic_load_explicit(&listing_count, memory_order_acquire) == 0)
        return NULL;
    pthread_mutex_lock(&listings_lock);
    struct listing *listing = listings;
    while (listing != NULL && listing->directory != directory)
        listing = listing->next;
    pthread_mutex_unlock(&listings_lock);
    return listing;
}

static void listing_remove(DIR *directory)
{
    if (atomic_load_explicit(&listing_count, memory_order_acquire) == 0)
        return;
    pthread_mutex_lock(&listings_lock);
    struct listing **link = &listings;
    while (*link != NULL && (*link)->directory != directory)
        link = &(*link)->next;
    struct listing *listing = *link;
    if (listing != NULL) {
        *link = listing->next;
        atomic_fetch_sub(&listing_count, 1);
    }
    pthread_mutex_unlock(&listings_lock);
    free(listing);
}

static struct dirent *listing_next(struct listing *listing)
{
    if (listing->position >= listing->count)
        return NULL;
    struct dirent *entry = &listing->entry;
    entry->d_ino = DEVICE_INODE + listing->position;
    entry->d_off = 0;
    entry->d_reclen = sizeof *entry;
    entry->d_type = DT_CHR;
    snprintf(entry->d_name, sizeof entry->d_name, "fw%u", listing->position);
    listing->position++;
    return entry;
}

/* Returns whether the bus hides a name: that of a real device file in /dev. */
static bool listing_hides(const char *name)
{
    char path[64];
    return name[0] == 'f' && name[1] == 'w' &&
           snprintf(path, sizeof path, "/dev/%s", name) < (int)sizeof path &&
           shim_path_device(-1, path) >= 0;
}

SHIM_EXPORT DIR *opendir(const char *path)
{
    DIR *directory = SHIM_NEXT(opendir)(path);
    if (directory != NULL && shim_path_may_be_dev(path) && shim_fd_is_dev(dirfd(directory)))
        listing_add(directory);
    return directory;
}

SHIM_EXPORT DIR *fdopendir(int fd)
{
    DIR *directory = SHIM_NEXT(fdopendir)(fd);
    if (directory != NULL && shim_fd_is_dev(fd))
        listing_add(directory);
    return directory;
}

SHIM_EXPORT int closedir(DIR *directory)
{
    listing_remove(directory);
    return SHIM_NEXT(closedir)(directory);
}

SHIM_EXPORT struct dirent *readdir(DIR *directory)
{
    struct listing *listing = listing_find(directory);
    if (listing == NULL)
        return SHIM_NEXT(readdir)(directory);
    struct dirent *entry;
    while ((entry = SHIM_NEXT(readdir)(directory)) != NULL && listing_hides(entry->d_name))
        ;
    return entry != NULL ? entry : listing_next(listing);
}
SHIM_ALSO(readdir64, readdir);

SHIM_EXPORT void rewinddir(DIR *directory)
{
    struct listing *listing = listing_find(directory);
    if (listing != NULL)
        listing->position = 0;
    SHIM_NEXT(rewinddir)(directory);
}

typedef int (*scan_filter)(const struct dirent *);
typedef int (*scan_compare)(const struct dirent **, const struct dirent **);

static void scan_free(struct dirent **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

/* scandir(3) of /dev: the C library's scandir does not call the functions above. */
static int scan_dev(struct dirent ***result, scan_filter filter, scan_compare compare)
{
    DIR *directory = opendir("/dev");
    if (directory == NULL)
        return -1;
    struct dirent **names = NULL;
    size_t count = 0;
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        if (filter != NULL && !filter(entry))
            continue;
        struct dirent **more = reallocarray(names, count + 1, sizeof *names);
        struct dirent *copy = malloc(sizeof *copy);
        if (more != NULL)
            names = more;
        if (more == NULL || copy == NULL) {
            free(copy);
            scan_free(names, count);
            closedir(directory);
            errno = ENOMEM;
            return -1;
        }
        size_t length = entry->d_reclen < sizeof *copy ? entry->d_reclen : sizeof *copy;
        memcpy(copy, entry, length);
        names[count++] = copy;
    }
    closedir(directory);
    if (compare != NULL && count > 1)
        qsort(names, count, sizeof *names, (int (*)(const void *, const void *))compare);
    *result = names;
    return (int)count;
}

SHIM_EXPORT int scandir(const char *path, struct dirent ***names, scan_filter filter,
                        scan_compare compare)
{
    return shim_path_is_dev(path) ? scan_dev(names, filter, compare)
                                  : SHIM_NEXT(scandir)(path, names, filter, compare);
}
SHIM_ALSO(scandir64, scandir);

static void glob_close(void *directory)
{
    closedir(directory);
}

static void *glob_open(const char *path)
{
    return opendir(path);
}

static struct dirent *glob_read(void *directory)
{
    return readdir(directory);
}

static bool glob_concerns_dev(const char *pattern, int flags)
{
    return pattern != NULL && (flags & GLOB_ALTDIRFUNC) == 0 && shim_is_active() &&
           strncmp(pattern, "/dev/", 5) == 0;
}

SHIM_EXPORT int glob(const char *pattern, int flags, int (*error)(const char *, int), glob_t *found)
{
    if (!glob_concerns_dev(pattern, flags))
        return SHIM_NEXT(glob)(pattern, flags, error, found);
    found->gl_closedir = glob_close;
    found->gl_opendir = glob_open;
    found->gl_readdir = glob_read;
    found->gl_stat = stat;
    found->gl_lstat = lstat;
    return SHIM_NEXT(glob)(pattern, flags | GLOB_ALTDIRFUNC, error, found);
}
SHIM_ALSO(glob64, glob);
