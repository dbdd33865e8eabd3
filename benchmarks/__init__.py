"""What the program costs in time and memory, beside what others cost, on data of any size."""
